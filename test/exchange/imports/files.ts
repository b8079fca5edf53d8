/** Small files of each source, as tests write them. */
import { utils, write } from 'xlsx'
import type { ImportPlan } from '#design/stages/importPlan'
import { readPlan } from '#exchange/imports/read'
import { headings, type RedcapRow } from '#exchange/imports/redcap/columns'

export const bytes = (text: string) => new TextEncoder().encode(text)

const cell = (text: string) => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)

/** A dictionary; each row has the columns in which it differs from a text field of the form `form`. */
export function dictionary(rows: Partial<RedcapRow>[], lineEnd = '\n'): string {
  const columns = Object.keys(headings) as (keyof RedcapRow)[]
  const lines = rows.map((row) => {
    const full: Partial<RedcapRow> = { form_name: 'form', field_type: 'text', field_label: row.field_name, ...row }
    return columns.map((column) => cell(full[column] ?? '')).join(',')
  })
  return [columns.map((column) => cell(headings[column])).join(','), ...lines, ''].join(lineEnd)
}

export const redcap = (rows: Partial<RedcapRow>[]): ImportPlan => readPlan('redcap', bytes(dictionary(rows)))

type Rows = unknown[][]

export function workbook(sheets: Record<string, Rows>, bookType: 'xlsx' | 'xls' = 'xlsx'): Uint8Array {
  const book = utils.book_new()
  for (const [name, rows] of Object.entries(sheets)) utils.book_append_sheet(book, utils.aoa_to_sheet(rows), name)
  return new Uint8Array(write(book, { type: 'buffer', bookType: bookType === 'xls' ? 'biff8' : 'xlsx' }) as Buffer)
}

/** An XLSForm; each row is an object by column. */
export function xlsform(
  survey: Record<string, unknown>[],
  choices: Record<string, unknown>[] = [],
  settings: Record<string, unknown> = {},
): ImportPlan {
  const sheet = (rows: Record<string, unknown>[]): Rows => {
    const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))]
    return [columns, ...rows.map((row) => columns.map((column) => row[column] ?? null))]
  }
  return readPlan('xlsform', workbook({ survey: sheet(survey), choices: sheet(choices), settings: sheet([settings]) }))
}

/** An ODM file of one form, made of these parts. */
export const odmText = (parts: {
  refs?: string
  items?: string
  more?: string
  form?: string
  events?: string
}) => `<?xml version="1.0"?>
<ODM xmlns="http://www.cdisc.org/ns/odm/v1.3" ODMVersion="1.3.2"><Study OID="S"><BasicDefinitions>
<MeasurementUnit OID="kg" Name="Kilogram"><Symbol><TranslatedText xml:lang="en">kg</TranslatedText></Symbol></MeasurementUnit></BasicDefinitions>
<MetaDataVersion OID="M" Name="M">${parts.events ?? ''}<FormDef OID="F" Name="Visit" Repeating="No">${parts.form ?? '<ItemGroupRef ItemGroupOID="G" Mandatory="No"/>'}</FormDef>
<ItemGroupDef OID="G" Name="Group" Repeating="No">${parts.refs ?? ''}</ItemGroupDef>${parts.items ?? ''}${parts.more ?? ''}</MetaDataVersion></Study></ODM>`

export const odm = (parts: Parameters<typeof odmText>[0]): ImportPlan => readPlan('odm', bytes(odmText(parts)))

/** The data type with this code. */
export const typeIn = ({ dataTypes }: ImportPlan, code: string) => dataTypes.find((type) => type.code === code)!
/** The component that asks this data type, in any stage. */
export const askedIn = ({ stages }: ImportPlan, code: string) =>
  stages.flatMap(({ components }) => components).find(({ dataType }) => dataType === code.toLowerCase())!
