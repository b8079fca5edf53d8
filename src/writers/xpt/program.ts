/** The SAS program beside transport files: it reads them, and gives labels to the codes. */
import { letterOf, type SasVariable } from './plan'

/** A transport file that the program reads. */
export type SasFile = {
  /** The name of the file, in the folder of the program. It must have no % and no &, which SAS replaces or runs. */
  file: string
  /** The dataset in it, and its label. */
  dataset: string
  label: string
  variables: readonly SasVariable[]
}

const HEAD = [
  '/* Reads the transport files of this folder into the library WORK, and gives labels to codes.',
  '   The texts are in UTF-8: start SAS as “SAS (Unicode Support)”, or with -encoding utf-8.',
  '   Set the folder in the next line, then run all of it. */',
  '%let folder = .;',
  'options validvarname=v7 nofmterr;',
  '',
]

/** The text of the program, in UTF-8. */
export function sasProgram(files: readonly SasFile[]): string {
  const parts = files.flatMap(({ file, dataset, label, variables }, at) => {
    const formats = variables.flatMap((variable, index) => formatOf(variable, `tb${at + 1}_${index + 1}_`))
    return [
      `/* ${comment(label || dataset)} */`,
      `%xpt2loc(libref=work, memlist=${dataset}, filespec="&folder/${file}");`,
      ...(formats.length ? ['proc format;', ...formats.flatMap(({ lines }) => lines), 'run;'] : []),
      ...formatStatements(dataset, formats),
      '',
    ]
  })
  return [...HEAD, ...parts].map((line) => `${line}\n`).join('')
}

type Format = { variable: string; name: string; lines: string[] }

/** The format of a variable whose values have labels. @param stem unique; the name must not end with a digit */
function formatOf({ name, isText, values, letters, width }: SasVariable, stem: string): Format[] {
  if (!values.length) return []
  const format = `${isText ? '$' : ''}${stem}`
  const lines = values.map(({ value, label }) => {
    const letter = typeof value === 'number' ? letters.get(value) : undefined
    const from = letter ? letterOf(letter) : isText ? quoted(String(value)) : String(value)
    return `    ${from} = ${quoted(label)}`
  })
  // Without a width, values that have no label would be cut to the length of the longest label.
  const head = isText ? `  value ${format} (default=${Math.min(Math.max(width, 40), 32_767)})` : `  value ${format}`
  return [{ variable: name, name: `${format}.`, lines: [head, ...lines, '  ;'] }]
}

const formatStatements = (dataset: string, formats: readonly Format[]): string[] =>
  formats.length
    ? [
        'proc datasets lib=work nolist;',
        `  modify ${dataset};`,
        ...formats.map(({ variable, name }) => `  format ${variable} ${name};`),
        'quit;',
      ]
    : []

/** A text in single quotes, in which SAS replaces nothing. */
const quoted = (text: string): string => `'${oneLine(text).replaceAll("'", "''")}'`

const oneLine = (text: string): string => text.toWellFormed().replace(/[\p{Cc}\u2028\u2029]+/gu, ' ')

const comment = (text: string): string => oneLine(text).replaceAll('*/', '* /').replaceAll('/*', '/ *')
