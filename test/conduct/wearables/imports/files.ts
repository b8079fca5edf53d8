/** Export files of providers, as they write them, and their import over HTTP. */

import { Database } from 'bun:sqlite'
import { join } from 'node:path'
import { crc32, deflateRawSync } from 'node:zlib'
import type { Person } from '../../../harness'
import { study } from '../../../study'
import { temporaryFolder } from '../../../temporary'

/** A zip archive of these files. */
export function zipOf(files: Readonly<Record<string, string | Uint8Array>>): Uint8Array {
  const [parts, directory]: [Buffer[], Buffer[]] = [[], []]
  let at = 0
  for (const [name, content] of Object.entries(files)) {
    const bytes = Buffer.from(content as string)
    const packed = deflateRawSync(bytes)
    const path = Buffer.from(name)
    const numbers = (signature: number, length: number, from: number) => {
      const record = Buffer.alloc(length)
      record.writeUInt32LE(signature, 0)
      record.writeUInt16LE(8, from)
      record.writeUInt32LE(crc32(bytes), from + 6)
      record.writeUInt32LE(packed.length, from + 10)
      record.writeUInt32LE(bytes.length, from + 14)
      record.writeUInt16LE(path.length, from + 18)
      return record
    }
    const entry = numbers(0x02014b50, 46, 10)
    entry.writeUInt32LE(at, 42)
    directory.push(entry, path)
    parts.push(numbers(0x04034b50, 30, 8), path, packed)
    at += 30 + path.length + packed.length
  }
  const list = Buffer.concat(directory)
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(Object.keys(files).length, 10)
  end.writeUInt32LE(list.length, 12)
  end.writeUInt32LE(at, 16)
  return Buffer.concat([...parts, list, end])
}

/** A csv of Dexcom Clarity with these readings: local time and value. */
export const clarity = (rows: readonly (readonly [time: string, value: string])[], unit = 'mg/dL') =>
  [
    `Index,Timestamp (YYYY-MM-DDThh:mm:ss),Event Type,Event Subtype,Patient Info,Device Info,Source Device ID,Glucose Value (${unit}),Insulin Value (u),Carb Value (grams),Duration (hh:mm:ss),Glucose Rate of Change (${unit}/min),Transmitter Time (Long Integer),Transmitter ID`,
    '1,,FirstName,,Sesame,,,,,,,,,',
    '2,,LastName,,Secret,,,,,,,,,',
    '3,,Alert,High,,,android G6,200,,,,,,',
    ...rows.map(([time, value], at) => `${at + 4},${time},EGV,,,,android G6,${value},,,,,${at},8AM1EY`),
    `${rows.length + 4},2026-02-01T12:00:00,Insulin,Fast-Acting,,,android G6,,4,,,,,8AM1EY`,
  ].join('\r\n')

/** The bytes of a database as Health Connect exports it, filled by these statements. */
export function healthDatabase(...statements: string[]): Uint8Array {
  const path = join(temporaryFolder(), 'health.db')
  const sqlite = new Database(path)
  sqlite.run(
    'CREATE TABLE steps_record_table (row_id INTEGER PRIMARY KEY, uuid BLOB, app_info_id INTEGER, start_time INTEGER, end_time INTEGER, start_zone_offset INTEGER, end_zone_offset INTEGER, count INTEGER)',
  )
  sqlite.run(
    'CREATE TABLE sleep_session_record_table (row_id INTEGER PRIMARY KEY, app_info_id INTEGER, start_time INTEGER, end_time INTEGER, start_zone_offset INTEGER, end_zone_offset INTEGER, title TEXT, notes TEXT)',
  )
  sqlite.run(
    'CREATE TABLE sleep_stages_table (parent_key INTEGER, stage_start_time INTEGER, stage_end_time INTEGER, stage_type INTEGER)',
  )
  sqlite.run(
    'CREATE TABLE exercise_session_record_table (row_id INTEGER PRIMARY KEY, app_info_id INTEGER, start_time INTEGER, end_time INTEGER, start_zone_offset INTEGER, exercise_type INTEGER)',
  )
  sqlite.run('CREATE TABLE weight_record_table (row_id INTEGER PRIMARY KEY, weight REAL)')
  for (const statement of statements) sqlite.run(statement)
  const bytes = sqlite.serialize()
  sqlite.close()
  return bytes
}

/** A study into which files of wearables are imported. */
export async function importing(options: Parameters<typeof study>[0] = {}) {
  const s = await study(options)
  const about = `/trials/${s.trial}/participants/${s.anna}` as const
  /** Uploads a file for a participant. Returns its stored name. */
  async function upload(content: string | Uint8Array, name = 'export.zip', by: Person = s.owner, of = s.anna) {
    const bytes = Buffer.from(content as string)
    const whose = by === s.owner ? `&forId=${of}` : ''
    const { signedRequestURL, fileName } = await by.get<'requestHardwareUpload'>(
      `/uploads/hardware/request?name=${name}&size=${bytes.length}&type=application/octet-stream&forType=participant${whose}`,
    )
    const { status } = await s.fetch(signedRequestURL, {
      method: 'PUT',
      body: bytes,
      headers: { 'Content-Type': 'application/octet-stream' },
    })
    if (status !== 200) throw new Error(`The upload failed: ${status}`)
    return fileName
  }
  return {
    ...s,
    about,
    upload,
    /** Imports a file as staff. */
    async bring(service: string, content: string | Uint8Array, name?: string) {
      return s.owner.call('POST', `${about}/hardwareImports`, { service, storedName: await upload(content, name) })
    },
    /** The stored records, without what the server gives them. */
    async records(dataset?: string) {
      const query = dataset === undefined ? ('' as const) : (`?dataset=${dataset}` as const)
      const { hardwareResponses } = await s.owner.get<'readHardwareResponses'>(`${about}/hardwareResponses${query}`)
      return hardwareResponses.map(({ _id, createdAt, updatedAt, ...rest }) => rest)
    },
  }
}
