//! The ten hooks of the documents and their order.
