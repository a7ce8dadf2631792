"""Asks the API server without a process a question: kubectl several times a second would take a core of two."""

import json
import ssl
import urllib.request

REQUEST_SECONDS_MAX = 30


class Api:
    def __init__(self, directory, port):
        self.server = f"https://127.0.0.1:{port}"
        self.context = ssl.create_default_context(cafile=directory / "pki/ca.crt")
        self.context.load_cert_chain(directory / "pki/admin.crt", directory / "pki/admin.key")

    def get(self, path):
        """The object at the path. A refusal or a broken connection is an OSError."""
        with urllib.request.urlopen(self.server + path, context=self.context, timeout=REQUEST_SECONDS_MAX) as answer:
            return json.load(answer)

    def count(self, path):
        page = self.get(path + "?limit=1")
        return len(page["items"]) + page["metadata"].get("remainingItemCount", 0)
