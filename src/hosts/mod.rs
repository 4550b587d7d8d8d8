//! Host adapters: the only files that know an agent's own JSON.
