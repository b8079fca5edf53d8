/** Requests case report forms and reads them, for tests. */
import { expect } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { extractRawText } from 'mammoth'
import type { Id } from '#kernel/id'
import { study } from '../../design/stages/stages.study'
import type { World } from '../../harness'
import { everyFormat as kinds } from '../../study'
import { temporaryFolder } from '../../temporary'
import { python } from '../../writers/folder'

/** The file of a link. */
export async function fileOf(here: Pick<World, 'fetch'>, url: string) {
  const answer = await here.fetch(url)
  expect(answer.status).toBe(200)
  return { bytes: Buffer.from(await answer.arrayBuffer()), type: answer.headers.get('content-type') }
}

export const textOf = async (bytes: Buffer) => (await extractRawText({ buffer: bytes })).value.replace(/\s+/g, ' ')

/** The parts of a Word file, each well-formed, by Python's own zip and XML. */
export function partsOf(bytes: Buffer): Record<string, string> {
  const path = join(temporaryFolder(), 'form.docx')
  writeFileSync(path, bytes)
  const program = `
import json, sys, zipfile
from xml.dom import minidom
with zipfile.ZipFile(sys.argv[1]) as z:
    assert z.testzip() is None
    parts = {n: z.read(n).decode() for n in z.namelist() if n.endswith(('.xml', '.rels'))}
for part in parts.values(): minidom.parseString(part)
print(json.dumps(parts))`
  const { ok, out, error } = python(program, path)
  expect({ ok, error }).toEqual({ ok: true, error: '' })
  return JSON.parse(out)
}

/** A stage that asks one question of every format. */
export async function everything() {
  const here = study()
  const { owner, trial, make } = here
  await owner.do('updateTrial', trial, { name: 'Walking after surgery', protocolNumber: 'WAS-2026/04' })
  const ids: Record<string, Id> = {}
  for (const kind of kinds) ids[kind.code] = (await owner.do('createDataType', trial, kind))._id
  const components = kinds.map(({ code, name }) => ({
    id: code,
    dataType: ids[code],
    title: `Question about ${name}`,
    ...(code === 'pulse' ? { isRequired: true, description: 'Count for a whole minute.' } : {}),
    ...(code === 'diary' ? { condition: { dataType: ids.smoker, operator: 'equal', value: 'Yes' } } : {}),
  }))
  const stage = await make({
    name: 'First visit',
    components: [{ id: 'top', type: 'title', title: 'About today' }, ...components],
  })
  return { ...here, ids, stage: stage._id as Id }
}
