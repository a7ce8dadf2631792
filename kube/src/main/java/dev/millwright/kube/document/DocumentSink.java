package dev.millwright.kube.document;

/// Takes what a file holds, piece by piece, so that a list of 50,000 pods never stands in memory as
/// one tree.
public interface DocumentSink {

    /// Whether the elements of this list at the top of a document are given one by one.
    boolean isStreamed(String field);

    /// An element of such a list.
    void element(String field, Value element);

    /// The rest of the document, after its elements: the streamed lists stand in it empty.
    void document(Value document);
}
