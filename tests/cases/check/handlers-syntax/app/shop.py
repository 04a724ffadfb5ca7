x = "é"; class Shop(:
