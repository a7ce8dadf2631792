package dev.millwright.spi;

/// A question to a cloud, by the name it has in metrics.
public enum CloudCall {
    LAUNCH("Create"),
    TERMINATE("Delete"),
    FIND("Get"),
    LIST("List"),
    CATALOG("GetInstanceTypes"),
    DRIFT("IsDrifted"),
    REBOOT("Reboot");

    private final String method;

    CloudCall(String method) {
        this.method = method;
    }

    public String method() {
        return method;
    }

    /// What became of a call. A machine that is gone counts as an error, even where it was wanted:
    /// so Karpenter counts.
    public enum Outcome {
        ANSWERED(""),
        INSUFFICIENT_CAPACITY("InsufficientCapacityError"),
        NODE_CLASS_NOT_READY("NodeClassNotReadyError"),
        GONE("NodeClaimNotFoundError"),
        FAILED("");

        private final String error;

        Outcome(String error) {
            this.error = error;
        }

        public boolean isError() {
            return this != ANSWERED;
        }

        /// The error's class in metrics, empty where it has none.
        public String error() {
            return error;
        }

        public static Outcome of(LaunchAnswer answer) {
            return switch (answer) {
                case LaunchAnswer.Launched _ -> ANSWERED;
                case LaunchAnswer.InsufficientCapacity _ -> INSUFFICIENT_CAPACITY;
                case LaunchAnswer.NodeClassNotReady _ -> NODE_CLASS_NOT_READY;
                case LaunchAnswer.Refused _, LaunchAnswer.Failed _ -> FAILED;
            };
        }

        public static Outcome of(TerminateAnswer answer) {
            return switch (answer) {
                case TerminateAnswer.Started() -> ANSWERED;
                case TerminateAnswer.Gone() -> GONE;
                case TerminateAnswer.Failed _ -> FAILED;
            };
        }

        public static Outcome of(FindAnswer answer) {
            return switch (answer) {
                case FindAnswer.Found _ -> ANSWERED;
                case FindAnswer.Gone() -> GONE;
                case FindAnswer.Failed _ -> FAILED;
            };
        }

        public static Outcome of(ListAnswer answer) {
            return switch (answer) {
                case ListAnswer.Machines _ -> ANSWERED;
                case ListAnswer.Failed _ -> FAILED;
            };
        }

        public static Outcome of(CatalogAnswer answer) {
            return switch (answer) {
                case CatalogAnswer.Types _ -> ANSWERED;
                case CatalogAnswer.Unevaluated(), CatalogAnswer.Failed _ -> FAILED;
            };
        }

        public static Outcome of(RebootAnswer answer) {
            return switch (answer) {
                case RebootAnswer.Accepted() -> ANSWERED;
                case RebootAnswer.Gone() -> GONE;
                case RebootAnswer.Unsupported(), RebootAnswer.Refused _, RebootAnswer.Failed _ ->
                        FAILED;
            };
        }

        public static Outcome of(DriftAnswer answer) {
            return switch (answer) {
                case DriftAnswer.InPlace(), DriftAnswer.Drifted _ -> ANSWERED;
                case DriftAnswer.Gone() -> GONE;
                case DriftAnswer.Failed _ -> FAILED;
            };
        }
    }
}
