"""pincite answers questions over a folder of documents and pins every sentence to its page."""
