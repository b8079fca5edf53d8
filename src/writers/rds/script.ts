/** The R script beside `.rds` files: it reads them, and shows how codes, labels and missing values are used. It needs no package. */
import { textOf } from '#writers/cellNumber'
import { R_NAMES, validNames } from '#writers/names'

/** A file that the script reads. */
export type RFile = {
  /** The name of the file, in the folder of the script. */
  file: string
  /** The name and the label of the dataset. */
  name: string
  label: string
}

const FUNCTIONS = `# The code of each answer of a factor, instead of its label.
codes_of <- function(x) attr(x, "codes")[as.integer(x)]

# The answers without those that say why there is no answer: these become NA.
without_missing <- function(x) {
  missing <- attr(x, "missing")
  if (is.null(missing)) return(x)
  if (!is.factor(x)) {
    x[x %in% missing] <- NA
    return(x)
  }
  kept <- !(attr(x, "codes") %in% missing)
  y <- factor(as.character(x), levels = levels(x)[kept])
  attr(y, "codes") <- attr(x, "codes")[kept]
  attr(y, "label") <- attr(x, "label")
  y
}

# A factor of the points of a scale that have labels; the others have their number.
labelled <- function(x) {
  labels <- attr(x, "labels")
  if (is.null(labels)) return(x)
  all <- sort(unique(c(labels, x)))
  at <- match(all, labels)
  factor(x, levels = all, labels = make.unique(ifelse(is.na(at), as.character(all), names(labels)[at])))
}

# What each variable of a dataset is.
codebook <- function(data) {
  text <- function(name) vapply(data, function(x) paste(attr(x, name), collapse = " "), "")
  data.frame(
    name = names(data), label = text("label"), unit = text("unit"),
    type = vapply(data, function(x) class(x)[1], ""),
    values = vapply(data, function(x) {
      if (is.factor(x)) return(paste(attr(x, "codes"), "=", levels(x), collapse = "; "))
      paste(attr(x, "labels"), "=", names(attr(x, "labels")), collapse = "; ")[length(attr(x, "labels")) > 0][1]
    }, ""),
    row.names = NULL
  )
}
`

/** The text of the script, in UTF-8. */
export function rScript(files: readonly RFile[]): string {
  const names = validNames(
    R_NAMES,
    // The functions keep their names.
    [...OWN, ...files.map(({ name }) => textOf(name))],
  ).slice(OWN.length)
  const reads = files.map(({ file, label }, at) => `# ${oneLine(label)}\n${names[at]} <- readRDS(${quoted(file)})\n`)
  return `# Reads the data frames of this folder. Set the folder of R to it first: setwd("...")
# Questions with options are factors: their levels are the labels, codes_of() gives the codes. Days are Date, moments POSIXct in UTC,
# times of day seconds since midnight. attr(x, "label") is the question, attr(x, "unit") its unit.

${reads.join('')}
${FUNCTIONS}
# For example:
# View(codebook(${names[0] ?? 'data'}))
# table(codes_of(${names[0] ?? 'data'}$variable))
`
}

const OWN = ['codes_of', 'without_missing', 'labelled', 'codebook']

const oneLine = (text: string): string =>
  textOf(text)
    .toWellFormed()
    .replace(/[\p{Cc}\u2028\u2029]+/gu, ' ')

/** A text of R. File names have no control characters. */
const quoted = (text: string): string => `"${oneLine(text).replace(/[\\"]/g, '\\$&')}"`
