/** One sheet of a workbook as SpreadsheetML (ECMA-376 part 1, 18.3). */
import { secondsOf } from '#kernel/calendar'
import { DAY as DAY_US, type Instant, isDay, isTimeOfDay } from '#kernel/time'
import { type Cell, momentText, type Sheet } from './cell'
import { CELL_TEXT, cutText, inlineText } from './xmltext'

/** The styles of `styles.xml`, by their index there. */
export const HEADER = 1
const DAY = 2
const MOMENT = 3
const TIME = 4

/** Called for a text that is too long for its cell; `column` counts from 1. */
export type OnCut = (column: number, characters: number) => void

/** The letters of a column, counted from 0. */
export function columnLetters(index: number): string {
  let letters = ''
  for (let rest = index + 1; rest > 0; rest = Math.floor((rest - 1) / 26))
    letters = String.fromCharCode(65 + ((rest - 1) % 26)) + letters
  return letters
}

const SECONDS_OF_DAY = 86_400
const EPOCH = 25_569
/** 1900-03-01: before it, Excel counts a 29th of February that did not exist. */
const FIRST_DAY = 61
/** 10000-01-01. */
const END = 2_958_466

/** Excel's number for a moment in UTC, exact to the microsecond until 2079; undefined outside what Excel can show. */
function momentSerial(at: Instant): number | undefined {
  const days = Math.floor(at / DAY_US) // the day and its fraction separately, so that only one rounding remains
  const serial = days + EPOCH + (at - days * DAY_US) / DAY_US
  return serial >= FIRST_DAY && serial < END ? serial : undefined
}

/** Excel's number for a day; undefined if the text is not a day, or outside what Excel can show. */
function daySerial(day: string): number | undefined {
  if (!isDay(day)) return undefined
  const serial = (Date.parse(day) * 1000) / DAY_US + EPOCH
  return serial >= FIRST_DAY && serial < END ? serial : undefined
}

/** The most days whose numbers a sheet keeps: the rows of a study have the same few. */
const KEPT_DAYS = 1_000

/** `daySerial` with a cache of its results. */
function cachedDaySerial(): typeof daySerial {
  const serials = new Map<string, number | undefined>()
  return (day) => {
    let serial = serials.get(day)
    if (serial !== undefined) return serial
    serial = daySerial(day)
    if (serials.size >= KEPT_DAYS) serials.clear()
    serials.set(day, serial)
    return serial
  }
}

/** Excel's numbers are doubles from about 2.2e-308 to 9.9e307; NaN, infinities and numbers beyond are not allowed. */
function isExcelNumber(value: number): boolean {
  const size = Math.abs(value)
  return (size < 9.9e307 && size > 2.3e-308) || value === 0
}

/** The XML before the rows: the frozen line of headers, the widths. */
export function sheetHead({ columns }: Sheet, isFirst: boolean): string {
  const widths = columns.map(({ header, width = Math.min(Math.max(header.length + 4, 10), 50) }, index) => {
    const shown = Math.min(Math.max(width, 2), 255)
    return `<col min="${index + 1}" max="${index + 1}" width="${shown}" customWidth="1"/>`
  })
  return (
    '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n' +
    '<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetViews>' +
    `<sheetView ${isFirst ? 'tabSelected="1" ' : ''}workbookViewId="0">` +
    '<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/><selection pane="bottomLeft"/>' +
    '</sheetView></sheetViews><sheetFormatPr defaultRowHeight="15"/>' +
    `${widths.length ? `<cols>${widths.join('')}</cols>` : ''}<sheetData>`
  )
}

/** The XML after `rows` rows, headers included. */
export const sheetTail = ({ columns }: Sheet, rows: number): string =>
  `</sheetData>${columns.length ? `<autoFilter ref="A1:${columnLetters(columns.length - 1)}${rows}"/>` : ''}</worksheet>`

/** Returns a function that writes the rows of a sheet; `row` counts from 1. */
export function rowWriter(
  columns: number,
  onCut: OnCut,
): (cells: readonly Cell[], row: number, style?: number) => string {
  const opening = Array.from({ length: columns }, (_, index) => `<c r="${columnLetters(index)}`)

  const serialOfDay = cachedDaySerial()

  /** What follows the reference of a cell of text. */
  const text = (value: string, column: number, style: string): string => {
    if (value.length <= CELL_TEXT) return `"${style} t="inlineStr">${inlineText(value)}</c>`
    onCut(column + 1, value.length)
    return `"${style} t="inlineStr">${inlineText(cutText(value))}</c>`
  }

  const value = (cell: Exclude<Cell, null | undefined>, column: number, style: string): string => {
    if (typeof cell === 'string') return text(cell, column, style)
    if (typeof cell === 'number')
      return isExcelNumber(cell) ? `"><v>${cell}</v></c>` : text(String(cell), column, style)
    if (typeof cell === 'boolean') return `" t="b"><v>${cell ? 1 : 0}</v></c>`
    if (typeof cell === 'bigint')
      return Number.isSafeInteger(Number(cell)) ? `"><v>${cell}</v></c>` : text(String(cell), column, style)
    if ('at' in cell) {
      const serial = momentSerial(cell.at)
      return serial === undefined ? text(momentText(cell.at), column, style) : `" s="${MOMENT}"><v>${serial}</v></c>`
    }
    if ('time' in cell) {
      if (!isTimeOfDay(cell.time)) return text(cell.time, column, style)
      return `" s="${TIME}"><v>${secondsOf(cell.time) / SECONDS_OF_DAY}</v></c>`
    }
    const serial = serialOfDay(cell.day)
    return serial === undefined ? text(cell.day, column, style) : `" s="${DAY}"><v>${serial}</v></c>`
  }

  return (cells, row, style) => {
    const number = String(row)
    const styled = style === undefined ? '' : ` s="${style}"`
    let line = `<row r="${number}">`
    for (let column = 0; column < cells.length; column++) {
      const cell = cells[column]
      if (cell === null || cell === undefined || cell === '') continue
      line += opening[column]! + number + value(cell, column, styled)
    }
    return `${line}</row>`
  }
}
