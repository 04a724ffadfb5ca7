"""From documents to the program: shape, includes, bind, resolve, normalise, naming."""
