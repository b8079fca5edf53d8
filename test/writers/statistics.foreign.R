# Reads a .sav file with foreign, and prints a line for each variable: name, cells, labels, with texts as hexadecimal UTF-8.
suppressWarnings(library(foreign))
hex <- function(x) vapply(enc2utf8(as.character(x)), function(s) paste(as.character(charToRaw(s)), collapse = ""), "", USE.NAMES = FALSE)
value <- function(x) if (is.character(x)) paste0("t", hex(sub(" +$", "", x))) else ifelse(is.na(x), ".", sprintf("%.17g", x))
data <- read.spss(commandArgs(TRUE)[1], use.value.labels = FALSE, to.data.frame = FALSE, use.missings = FALSE, reencode = "UTF-8")
for (name in names(data)) {
  x <- data[[name]]
  labels <- attr(x, "value.labels")
  cat(hex(name), paste(value(as.vector(x)), collapse = " "), paste(hex(names(labels)), trimws(labels), collapse = " "), sep = "\t")
  cat("\n")
}
