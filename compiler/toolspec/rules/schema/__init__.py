"""Rules about schemas that are legal and say too little."""
