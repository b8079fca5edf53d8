/** Reads study records, in the proof with independent programs: Python's zipfile, and `unzip` if it is installed. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'csv-parse/sync'
import { unreadable } from '#kernel/fault'
import { sha256 } from '#kernel/id'
import { entriesOf } from '#writers/unzip'
import type { Person, World } from '../../harness'
import { present } from '../../present'
import { isProof } from '../../proof'
import { until } from '../../until'
import { inFolder, python } from '../../writers/folder'

const program = `
import sys, zipfile, json, base64
z = zipfile.ZipFile(sys.argv[1])
assert z.testzip() is None
print(json.dumps([[i.filename, base64.b64encode(z.read(i)).decode()] for i in z.infolist()]))
`

/** The parts of a zip archive, in order. Fails if it is damaged; in the proof, if Python or unzip report an error. */
export const partsOf = (zip: Uint8Array): Map<string, Buffer> =>
  isProof
    ? partsByPrograms(zip)
    : new Map(entriesOf(zip, MOST_BYTES, unreadable).map(({ name, read }) => [name, Buffer.from(read())]))

const MOST_BYTES = 2 ** 30

const partsByPrograms = (zip: Uint8Array): Map<string, Buffer> =>
  inFolder((folder) => {
    const path = join(folder, 'a.zip')
    writeFileSync(path, zip)
    const { out, error } = python(program, path)
    if (error) throw new Error(error)
    if (Bun.which('unzip')) {
      const tested = Bun.spawnSync(['unzip', '-tq', path])
      if (tested.exitCode) throw new Error(tested.stdout.toString() + tested.stderr.toString())
    }
    return new Map((JSON.parse(out) as [string, string][]).map(([name, bytes]) => [name, Buffer.from(bytes, 'base64')]))
  })

/** The rows of a table in an archive. */
export const rowsIn = (parts: Map<string, Buffer>, name: string): Record<string, string>[] =>
  parse(parts.get(name)!, { columns: true })

/** Each part as MANIFEST describes it, and as it is. */
export const manifestIn = (parts: Map<string, Buffer>) => ({
  said: Object.fromEntries(
    parts
      .get('MANIFEST')!
      .toString()
      .trimEnd()
      .split('\n')
      .map((line) => [line.slice(66), line.slice(0, 64)]),
  ),
  true: Object.fromEntries(
    [...parts]
      .filter(([name]) => name !== 'MANIFEST' && name !== 'SIGNATURE.json')
      .map(([name, bytes]) => [name, sha256(bytes)]),
  ),
})

/** The file of a link. */
export async function downloaded(w: Pick<World, 'fetch'>, url: string | null): Promise<Buffer> {
  const response = await w.fetch(present(url))
  if (response.status !== 200) throw new Error(`${response.status}: ${await response.text()}`)
  return Buffer.from(await response.arrayBuffer())
}

/** A job after its end. */
export async function ended(person: Pick<Person, 'get'>, job: string) {
  await until(async () => (await person.get<'readJob'>(`/jobs/${job}`)).status !== 'pending')
  return person.get<'readJob'>(`/jobs/${job}`)
}

/** What a job returned that made a study record. */
export const recordOf = ({ result }: Awaited<ReturnType<typeof ended>>) =>
  present(result) as { request: string; fileName: string; counts: Record<string, number>; amiss: unknown[] }
