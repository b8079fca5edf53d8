/** Each operation that reads, as people who may not read a file: nothing in any answer names it. */
import { expect, test } from 'bun:test'
import { keys, keysOf } from '#access/keys'
import { operations } from '#start/app'
import { ask, nameOf, whoMay } from '../../every-operation.shared'
import { type Everything, everything } from '../../everything'
import type { Person } from '../../harness'
import { firstOf } from '../../present'

const reads = operations.filter((op) => op.method === 'GET' && whoMay(op).includes('staff'))

/** The operations whose answer to this person holds a part of the file. */
async function readsThatReveal(every: Everything, person: Person): Promise<string[]> {
  const { fileId } = every.params
  const file = await every.owner.do('readFile', fileId!)
  const { _id, name, sha256 } = firstOf(file.versions)
  // So that the log tells of it on its first page.
  await every.owner.do('updateFile', fileId!, { description: 'Looked for' })
  const marks = [fileId!, _id, name, sha256]
  const told: string[] = []
  for (const op of reads) {
    const { body } = await ask(person, op, every)
    const text = typeof body === 'string' ? body : JSON.stringify(body)
    if (marks.some((mark) => text?.includes(mark))) told.push(nameOf(op))
  }
  return told
}

test('the owner finds the file in several answers, so that the tests below can fail', async () => {
  const every = await everything()
  expect(await readsThatReveal(every, every.owner)).toEqual(
    expect.arrayContaining(['GET /trials/:trialId/files', 'GET /files/:fileId', 'GET /trials/:trialId/logs']),
  )
})

test('no operation tells a reader of approved files, whatever else they may do, of a file without an approved version', async () => {
  const every = await everything()
  const others = keys.filter((key) => !keysOf([`trial.${key}`]).has('readFiles'))
  expect(others).toContain('readApprovedFiles')
  const auditor = every.staff(
    every.trial,
    others.map((key) => `trial.${key}`),
  )
  expect(await readsThatReveal(every, auditor)).toEqual([])
})

test('no operation tells an account with all permissions on a site of a file of the whole trial', async () => {
  const every = await everything()
  expect(await readsThatReveal(every, every.staff(every.trial, ['site.admin'], every.site))).toEqual([])
})
