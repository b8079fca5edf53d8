/**
 * SAS transport files of version 5, which submissions to authorities are made of: names of 8 characters, labels of 40 bytes, texts of 200
 * bytes. See “Record layout of a SAS version 5 or 6 data set in SAS transport (XPORT) format” by SAS Institute.
 */
import type { Instant } from '#kernel/time'
import { type Output, utf8, writeNew } from '#writers/file'
import { field, headerRecord, namestr, padding, SPACE, sasMoment } from './header'
import { writeIbm, writeMissing } from './ibm'

/** The widest text, in bytes. */
export const TEXT_BYTES = 200
const LABEL_BYTES = 40
const NAME = /^[A-Z_][A-Z0-9_]{0,7}$/
const CHUNK = 1 << 18

export type TransportVariable = {
  name: string
  label: string
  isText: boolean
  /** Bytes of a text. */
  width: number
}

export type TransportCell = string | number | null

export type TransportTable = {
  name: string
  label: string
  variables: readonly TransportVariable[]
  rows: Iterable<readonly TransportCell[]>
}

/** Writes a table to a new file, which is removed if that fails. The caller has made names, labels and texts fit. Returns the number of rows. */
export function writeTransport5(path: string, table: TransportTable, created: Instant): Promise<number> {
  check(table)
  return writeNew(path, async (output) => {
    output.write(headerOf(table, created))
    return writeRows(output, table)
  })
}

function check({ name, label, variables }: TransportTable): void {
  const isLong = (text: string) => Buffer.byteLength(text) > LABEL_BYTES
  const wrong = variables.find(
    (each) => !NAME.test(each.name) || isLong(each.label) || each.width < 1 || each.width > TEXT_BYTES,
  )
  if (wrong || !NAME.test(name) || isLong(label))
    throw new Error(`${name}${wrong ? `.${wrong.name}` : ''} does not fit into a transport file of version 5.`)
}

function headerOf({ name, label, variables }: TransportTable, created: Instant): Buffer {
  const system = '9.4     Linux   '
  const moment = sasMoment(created)
  let end = 0
  const described = variables.map((variable, index) => {
    const at = end
    end += variable.width
    const { name: own, label: title, isText, width } = variable
    const plain = { name: own, label: title, isText, width, format: undefined, values: [], letters: new Map() }
    return namestr(plain, index + 1, at).fill(0, 88)
  })
  const names = Buffer.concat(described)
  return Buffer.concat([
    headerRecord('LIBRARY'),
    field(`SAS     SAS     SASLIB  ${system}${' '.repeat(24)}${moment}`, 80),
    field(moment, 80),
    headerRecord('MEMBER', `${'0'.repeat(17)}1600000000140`),
    headerRecord('DSCRPTR'),
    Buffer.concat([field('SAS', 8), field(name, 8), field(`SASDATA ${system}${' '.repeat(24)}${moment}`, 64)]),
    Buffer.concat([field(moment, 32), field(label, 40), field('', 8)]),
    headerRecord('NAMESTR', `000000${String(variables.length).padStart(4, '0')}${'0'.repeat(20)}`),
    names,
    padding(names.length),
    headerRecord('OBS'),
  ])
}

function writeRows(output: Output, { name, variables, rows }: TransportTable): number {
  const width = variables.reduce((sum, variable) => sum + variable.width, 0)
  const most = Math.max(1, Math.floor(CHUNK / width))
  const buffer = Buffer.alloc(width * most)
  const encode = utf8()
  let [used, count] = [0, 0]
  for (const row of rows) {
    for (const [at, variable] of variables.entries()) {
      const cell = row[at] ?? null
      if (!variable.isText) {
        if (typeof cell === 'number') writeIbm(buffer, used, cell)
        else writeMissing(buffer, used, 0)
      } else {
        const text = encode(cell === null ? '' : String(cell))
        if (text.length > variable.width) throw new Error(`A text of ${name}.${variable.name} is too long.`)
        buffer.set(text, used)
        buffer.fill(SPACE, used + text.length, used + variable.width)
      }
      used += variable.width
    }
    count += 1
    if (count % most) continue
    output.write(buffer.subarray(0, used))
    used = 0
  }
  output.write(buffer.subarray(0, used))
  output.write(padding(count * width))
  return count
}
