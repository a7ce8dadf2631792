package dev.millwright.cli;

import dev.millwright.cli.market.MarketSettings;
import dev.millwright.cli.market.MarketSettings.PriceSource;
import dev.millwright.cli.market.PriceList;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine.Option;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;

/// Where the machines are that a question is about, what they cost, and how strictly files are
/// read.
final class MarketOptions {

    private static final String AWS = "aws";

    @Option(
            names = "--region",
            paramLabel = "NAME",
            description =
                    "The region of EC2 whose machines and prices count; else the one that nodes, node classes or pools name.")
    private @Nullable String region;

    @Option(
            names = "--prices",
            paramLabel = "FILE|aws",
            description =
                    "Prices in place of the catalogue's: lines of type,zone,capacityType,pricePerHour, a zone of * for all; or aws to ask AWS with your credentials.")
    private @Nullable String prices;

    @Option(
            names = "--strict",
            description = "Refuse files with fields that nobody knows, instead of telling of them.")
    private boolean isStrict;

    boolean isPriced() {
        return prices != null;
    }

    List<String> arguments() {
        return region == null ? List.of() : List.of("--region", region);
    }

    boolean isStrict() {
        return isStrict;
    }

    MarketSettings settings() throws IOException {
        if (prices == null) {
            return new MarketSettings(region, new PriceSource.Catalogue());
        }
        return new MarketSettings(
                region,
                prices.equals(AWS)
                        ? new PriceSource.Live()
                        : new PriceSource.Listed(prices, list(prices)));
    }

    private static PriceList list(String file) throws IOException {
        try {
            return PriceList.parse(file, lines(file));
        } catch (IllegalArgumentException wrong) {
            throw new IOException(wrong.getMessage(), wrong);
        }
    }

    private static List<String> lines(String file) throws IOException {
        try {
            return Files.readAllLines(Path.of(file));
        } catch (NoSuchFileException _) {
            throw new IOException(
                    "--prices %s: there is no such file; give the path of one, or aws to ask AWS"
                            .formatted(file));
        } catch (CharacterCodingException _) {
            throw new IOException(
                    "--prices %s: is not UTF-8 text; wanted lines such as m7g.large,*,on-demand,0.0816"
                            .formatted(file));
        }
    }
}
