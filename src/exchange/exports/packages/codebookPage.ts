/** The codebook of a package as a page that any browser shows and prints. It loads nothing and runs nothing. */
import type { ValueLabel, Variable } from '#writers/dataset'
import type { DatasetFile } from './formats'

const STYLE =
  ':root{color-scheme:light dark}body{font:1rem/1.45 system-ui,sans-serif;max-width:75rem;margin:2rem auto;padding:0 1rem;overflow-wrap:anywhere}' +
  'table{border-collapse:collapse;width:100%;min-width:50rem;margin:1rem 0 2rem}th,td{border:1px solid #8886;padding:.35rem .5rem;text-align:start;vertical-align:top}' +
  'th{background:#8882}code{font:.95em ui-monospace,monospace}ul{margin:0;padding-inline-start:1.1rem}small{opacity:.75}' +
  '.wide{overflow-x:auto}@media print{table{min-width:0}body{max-width:none;margin:0;font-size:9pt}h2{break-after:avoid}tr{break-inside:avoid}}'

const POLICY = `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">`
const escaped = (text: string | number) => Bun.escapeHTML(String(text))
/** A text that people wrote, in the direction of its own script. */
const textSpan = (text: string) => `<span dir="auto">${escaped(text)}</span>`

const KINDS: Record<Variable['kind'], string> = {
  text: 'text',
  number: 'number',
  day: 'date',
  moment: 'date and time (UTC)',
  time: 'time of day',
}
const item = ({ value, label, isMissing }: ValueLabel) =>
  `<li><code>${escaped(value)}</code> = ${textSpan(label)}${isMissing ? ' <small>(says why there is no answer)</small>' : ''}</li>`

function typeOf({ kind, measure, decimals, unit }: Variable): string {
  const digits = decimals === undefined ? undefined : decimals === 0 ? 'whole' : `${decimals} digits after the point`
  const about = [KINDS[kind], kind === 'number' ? digits : undefined, kind === 'text' ? undefined : measure]
  const unitText = unit === undefined ? '' : `<br>in ${textSpan(unit)}`
  return `${about.filter((each) => each !== undefined).join(', ')}${unitText}`
}

function row(variable: Variable, name: string, notes: readonly string[]): string {
  const { label, values = [], isRestricted, isPersonal } = variable
  const marks = [isRestricted ? 'restricted' : '', isPersonal ? 'personal information' : ''].filter(Boolean)
  const own = name === variable.name ? '' : `<br><small>in csv: ${textSpan(variable.name)}</small>`
  return (
    `<tr><td><code>${escaped(name)}</code>${own}</td><td>${textSpan(label)}` +
    `${marks.length ? `<br><small>${marks.join(', ')}</small>` : ''}</td><td>${typeOf(variable)}</td>` +
    `<td>${values.length ? `<ul>${values.map(item).join('')}</ul>` : ''}</td>` +
    `<td>${notes.map(textSpan).join('<br>')}</td></tr>\n`
  )
}

/** The page in pieces: a table of variables for each dataset. @param title of the study */
export function* codebookPage(title: string, datasets: readonly DatasetFile[]): Generator<string> {
  const heading = `Codebook: ${title}`
  yield `<!doctype html>\n<html lang="en"><head><meta charset="utf-8">${POLICY}<meta name="viewport" content="width=device-width">`
  yield `<title>${escaped(heading)}</title><style>${STYLE}</style></head>\n<body>\n<h1 dir="auto">${escaped(heading)}</h1>\n<ul>\n`
  for (const [at, { dataset, file, result }] of datasets.entries())
    yield `<li><a href="#d${at + 1}">${textSpan(dataset.label)}</a>: <code>${escaped(file)}</code>, ${result.rows} rows</li>\n`
  yield '</ul>\n'
  for (const [
    at,
    {
      dataset,
      result: { names, notes },
      file,
    },
  ] of datasets.entries()) {
    const notesOf = Map.groupBy(notes, ({ variable }) => variable)
    const own = (notesOf.get('') ?? []).map(({ text }) => `<p>${textSpan(text)}</p>\n`).join('')
    yield `<h2 id="d${at + 1}" dir="auto">${escaped(dataset.label)}</h2>\n<p><code>${escaped(file)}</code></p>\n${own}<div class="wide" tabindex="0"><table>\n`
    yield '<thead><tr><th scope="col">Variable</th><th scope="col">Meaning</th><th scope="col">Type</th><th scope="col">Codes</th><th scope="col">Notes</th></tr></thead>\n<tbody>\n'
    for (const [place, variable] of dataset.variables.entries()) {
      const noteTexts = (notesOf.get(variable.name) ?? []).map(({ text }) => text)
      yield row(variable, names[place] ?? variable.name, noteTexts)
    }
    yield '</tbody></table></div>\n'
  }
  yield '</body></html>\n'
}
