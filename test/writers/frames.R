# Reads .rds files with R alone and .xpt files with haven, and prints what it read, one line each, with texts as hexadecimal UTF-8.
# Arguments: the files. Lines: F file · R rows · V name, label, class · L label, its value · C cells of the variable; of a factor its codes.
hex <- function(x) vapply(enc2utf8(as.character(x)), function(s) paste(as.character(charToRaw(s)), collapse = ""), "", USE.NAMES = FALSE)
value <- function(x) {
  if (is.character(x)) return(ifelse(is.na(x), ".", paste0("t", hex(x))))
  x <- as.double(x)
  tag <- if ("haven" %in% loadedNamespaces()) toupper(haven::na_tag(x)) else rep(NA, length(x))
  missing <- ifelse(is.na(tag), ifelse(is.nan(x), "NaN", "."), paste0(".", tag))
  ifelse(is.na(x), missing, sprintf("%.17g", x))
}
line <- function(...) cat(..., sep = "\t", "\n")
for (file in commandArgs(TRUE)) {
  line("F", file)
  data <- if (grepl("rds$", file)) readRDS(file) else haven::read_xpt(file)
  line("R", nrow(data))
  for (name in names(data)) {
    x <- data[[name]]
    all <- attributes(x)
    line("V", hex(name), hex(c(all[["label"]], "")[1]), paste(class(x), collapse = " "))
    if (is.factor(x)) {
      for (at in seq_along(all[["levels"]])) line("L", hex(all[["levels"]][at]), value(all[["codes"]][at]))
      x <- all[["codes"]][as.integer(x)]
    } else {
      for (at in seq_along(all[["labels"]])) line("L", hex(names(all[["labels"]])[at]), value(unname(all[["labels"]][at])))
      attributes(x) <- NULL
    }
    for (each in value(x)) line("C", each)
  }
}
