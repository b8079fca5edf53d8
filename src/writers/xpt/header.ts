/**
 * What a SAS transport file has before its rows. See “Record layout of a SAS version 8 or 9 data set in SAS transport format” by SAS
 * Institute: records of 80 bytes, numbers of two and four bytes in big-endian order, texts padded with spaces.
 */
import type { Instant } from '#kernel/time'
import { beginning } from '#writers/names'
import type { SasVariable } from './plan'

const RECORD = 80
export const SPACE = 0x20
const ZEROS = '0'.repeat(30)
/** The labels that have no room in the description of a variable, in bytes. */
const SHORT_LABEL = 40
const NAMESTR = 140
const MONTHS = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC']

/** The bytes that fill the last record. */
export const padding = (size: number): Buffer => Buffer.alloc((RECORD - (size % RECORD)) % RECORD, SPACE)

/** A text in a field of so many bytes. It is cut between characters if it is longer. */
export const field = (text: string, bytes: number): Buffer => {
  const whole = Buffer.from(beginning(text.toWellFormed(), bytes, 'bytes'))
  return Buffer.concat([whole, Buffer.alloc(bytes - whole.length, SPACE)])
}

export const headerRecord = (name: string, numbers = ZEROS): Buffer =>
  field(`HEADER RECORD*******${name.padEnd(8)}HEADER RECORD!!!!!!!${numbers}`, RECORD)

/** A moment as `01MAR26:09:30:00`. */
export function sasMoment(at: Instant): string {
  const date = new Date(at / 1000)
  const two = (number: number) => String(number % 100).padStart(2, '0')
  const day = `${two(date.getUTCDate())}${MONTHS[date.getUTCMonth()]}${two(date.getUTCFullYear())}`
  return `${day}:${two(date.getUTCHours())}:${two(date.getUTCMinutes())}:${two(date.getUTCSeconds())}`
}

export type SasHeader = { dataset: string; label: string; created: Instant }

/** Everything before the rows. */
export function headerOf({ dataset, label, created }: SasHeader, variables: readonly SasVariable[]): Buffer {
  const system = '9.4     Linux   '
  const moment = sasMoment(created)
  const count = String(variables.length)
  const names = Buffer.concat(
    placeVariables(variables).map(({ variable, at }, index) => namestr(variable, index + 1, at)),
  )
  return Buffer.concat([
    headerRecord('LIBV8'),
    field(`SAS     SAS     SASLIB  ${system}${' '.repeat(24)}${moment}`, RECORD),
    field(moment, RECORD),
    headerRecord('MEMBV8', `${'0'.repeat(17)}1600000000140`),
    headerRecord('DSCPTV8'),
    Buffer.concat([field('SAS', 8), field(dataset, 32), field(`SASDATA ${system}${moment}`, 40)]),
    Buffer.concat([field(moment, 32), field(label, SHORT_LABEL), field('', 8)]),
    headerRecord('NAMSTV8', `${'0'.repeat(10 - count.length)}${count}${'0'.repeat(20)}`),
    names,
    padding(names.length),
    longLabels(variables),
    headerRecord('OBSV8'),
  ])
}

/** The variables, with where each begins in a row. */
function placeVariables(variables: readonly SasVariable[]): { variable: SasVariable; at: number }[] {
  let end = 0
  return variables.map((variable) => {
    end += variable.width
    return { variable, at: end - variable.width }
  })
}

/** The description of a variable. @param number from 1 */
export function namestr({ name, isText, width, label, format }: SasVariable, number: number, at: number): Buffer {
  const bytes = Buffer.alloc(NAMESTR)
  bytes.writeUInt16BE(isText ? 2 : 1, 0)
  bytes.writeUInt16BE(width, 4)
  bytes.writeUInt16BE(number, 6)
  field(name, 8).copy(bytes, 8)
  field(label, SHORT_LABEL).copy(bytes, 16)
  field(format?.name ?? '', 8).copy(bytes, 56)
  bytes.writeUInt16BE(format?.width ?? 0, 64)
  bytes.writeUInt16BE(format?.decimals ?? 0, 66)
  field('', 8).copy(bytes, 72)
  bytes.writeUInt32BE(at, 84)
  field(name, 32).copy(bytes, 88)
  bytes.writeUInt16BE(Buffer.byteLength(label), 120)
  return bytes
}

/** The labels that have more than 40 bytes. */
function longLabels(variables: readonly SasVariable[]): Buffer {
  const long = variables.flatMap(({ name, label }, index) => {
    if (Buffer.byteLength(label) <= SHORT_LABEL) return []
    const lengths = Buffer.alloc(6)
    lengths.writeUInt16BE(index + 1, 0)
    lengths.writeUInt16BE(Buffer.byteLength(name), 2)
    lengths.writeUInt16BE(Buffer.byteLength(label), 4)
    return [Buffer.concat([lengths, Buffer.from(name), Buffer.from(label)])]
  })
  if (!long.length) return Buffer.alloc(0)
  const all = Buffer.concat(long)
  return Buffer.concat([headerRecord('LABELV8', String(long.length)), all, padding(all.length)])
}
