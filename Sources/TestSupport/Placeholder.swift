// placeholder while the tree is laid out
