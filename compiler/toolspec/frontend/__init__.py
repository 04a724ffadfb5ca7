"""Front end, from documents to the program: shape, includes, bind, resolve, normalize, naming."""
