/** The XML of files of GraphPad Prism. */
import { type Instant, instantText } from '#kernel/time'
import { type Scale, textOf } from '#writers/cellNumber'
import type { Column } from '#writers/columns'
import type { Dataset } from '#writers/dataset'

/** Prism knows finite numbers. Days and times are texts in it. */
export const PRISM_SCALE: Scale = {
  number: (value) => (Number.isFinite(value) ? value : undefined),
  day: (days) => days,
  moment: (at) => at,
  time: (seconds) => seconds,
  instantOf: (value) => value,
}

const SPECIAL: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', '\r': '&#13;' }
/** What XML 1.0 cannot hold, not even as a reference. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters
const ILLEGAL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g
/** Most texts have none of all these. */
const SUSPECT = /[&<>"\r]|[^\t\n\u0020-\ufffd]|[\ud800-\udfff]/

function escaped(text: string): { xml: string; isChanged: boolean } {
  if (!SUSPECT.test(text)) return { xml: text, isChanged: false }
  const legal = text.toWellFormed().replace(ILLEGAL, '\ufffd')
  return { xml: legal.replace(/[&<>"\r]/g, (each) => SPECIAL[each]!), isChanged: legal !== text.toWellFormed() }
}

const xml = (text: string): string => escaped(text).xml

/** A cell of a column. */
export function cellXml(content: string): { xml: string; isChanged: boolean } {
  if (content === '') return { xml: '<d/>\n', isChanged: false }
  const { xml, isChanged } = escaped(content)
  return { xml: `<d>${xml}</d>\n`, isChanged }
}

/** The beginning of the file, with a list of its parts. */
export function opening({ created, product }: { created: Instant; product: string }, tables: number): string {
  const [program, version = ''] = product.split(/ (?=\S+$)/)
  const refs = Array.from({ length: tables }, (_, at) => `<Ref ID="Table${at}"${at ? '' : ' Selected="1"'}/>\n`)
  return `<?xml version="1.0" encoding="UTF-8"?>
<GraphPadPrismFile xmlns="http://graphpad.com/prism/Prism.htm" PrismXMLVersion="5.00">
<Created>
<OriginalVersion CreatedByProgram="${xml(program!)}" CreatedByVersion="${xml(version)}" Login="" DateTime="${instantText(created)}"/>
</Created>
<InfoSequence>
<Ref ID="Info0" Selected="1"/>
</InfoSequence>
<TableSequence Selected="1">
${refs.join('')}</TableSequence>
`
}

/** The sheet of information: what each column means, as one line for each. */
export function infoXml({ name, label }: Dataset, columns: readonly Column[], names: readonly string[]): string {
  const lines = columns.map(({ variable, values }, at) => {
    const unit = variable.unit ? ` [${variable.unit}]` : ''
    const codes = values.map((each) => `${each.value} = ${each.label}${each.isMissing ? ' (no answer)' : ''}`)
    return `${names[at]}: ${variable.label}${unit}${codes.length ? `; ${codes.join('; ')}` : ''}`
  })
  const notes = [textOf(label), ...lines].map((line) => line.replace(/[\r\n]+/g, ' ')).join('\n')
  return `<Info ID="Info0">
<Title>${xml(name)}</Title>
<Notes>${xml(notes)}</Notes>
</Info>
`
}

export const tableHead = (number: number, title: string): string =>
  `<Table ID="Table${number}" XFormat="none" TableType="OneWay" EVFormat="AsteriskAfterNumber">\n<Title>${xml(title)}</Title>\n`

export const tableTail = '</Table>\n'

/** Around the titles of rows. */
export const titlesXml = {
  head: '<RowTitlesColumn Width="120">\n<Subcolumn>\n',
  tail: '</Subcolumn>\n</RowTitlesColumn>\n',
}

/** The most digits after the point that Prism shows. */
const MOST_DECIMALS = 9

export function yColumnHead(title: string, { kind, variable, tally }: Column): string {
  const decimals = kind === 'number' ? Math.min(variable.decimals ?? tally.fraction, MOST_DECIMALS) : 0
  return `<YColumn Width="81" Decimals="${decimals}" Subcolumns="1">\n<Title>${xml(title)}</Title>\n<Subcolumn>\n`
}

export const yColumnTail = '</Subcolumn>\n</YColumn>\n'

export const closing = '</GraphPadPrismFile>\n'
