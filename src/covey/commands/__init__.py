"""The commands of the command line, one a module; what their options ask for; and how their outputs are written."""
