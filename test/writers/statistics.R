# Reads .sav and .dta files with haven, and prints what it read, one line each, with texts as hexadecimal UTF-8.
# Arguments: the files. Lines: F file · V name, label, format, missing values · L label, its value · C cells of the variable.
suppressMessages(library(haven))
hex <- function(x) vapply(enc2utf8(as.character(x)), function(s) paste(as.character(charToRaw(s)), collapse = ""), "", USE.NAMES = FALSE)
value <- function(x) {
  if (is.character(x)) return(paste0("t", hex(x)))
  ifelse(is.na(x), ifelse(is.na(na_tag(as.double(x))), ".", paste0(".", na_tag(as.double(x)))), sprintf("%.17g", as.double(x)))
}
line <- function(...) cat(..., sep = "\t", "\n")
for (file in commandArgs(TRUE)) {
  line("F", file)
  data <- if (grepl("sav$", file)) read_sav(file, user_na = TRUE) else read_dta(file)
  line("R", nrow(data))
  for (name in names(data)) {
    x <- data[[name]]
    all <- attributes(x)
    format <- c(all[["format.spss"]], all[["format.stata"]])
    missing <- c(if (is.null(all[["na_range"]])) NULL else paste(value(all[["na_range"]]), collapse = ":"), value(c(all[["na_values"]])))
    line("V", hex(name), hex(c(all[["label"]], "")[1]), format, paste(missing, collapse = " "))
    for (at in seq_along(all[["labels"]])) line("L", hex(names(all[["labels"]])[at]), value(unname(all[["labels"]][at])))
    attributes(x) <- NULL
    for (each in value(x)) line("C", each)
  }
}
