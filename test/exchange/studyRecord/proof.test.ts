/** Study records that prove themselves, and `trialbox verify-record` (docs/exports.md, "Proof"). */
import { describe, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { deflateRawSync } from 'node:zlib'
import fc from 'fast-check'
import { signatureText } from '#documents/archives/signature'
import { verifyRecord } from '#exchange/studyRecord/verifyRecord'
import { sha256 } from '#kernel/id'
import { keyPairFrom } from '#kernel/publicKeys'
import { replaceFile } from '#writers/file'
import { directoryOf, recordsAround, zipTo } from '#writers/zip'
import { fromSource, runProgram } from '../../program'
import { type Study, study } from '../../study'
import { temporaryFolder } from '../../temporary'
import { downloaded, ended, partsOf, recordOf, rowsIn } from './archive'

const folder = temporaryFolder()
let written = 0

/** Writes bytes to a file. Returns its path. */
function saved(bytes: Uint8Array): string {
  const path = join(folder, `${++written}.zip`)
  writeFileSync(path, bytes)
  return path
}

async function recordBytes(s: Study) {
  const { jobId } = await s.owner.do('exportStudyRecord', s.trial)
  return downloaded(s, recordOf(await ended(s.owner, jobId)).request)
}

/** A record of a study with answers, a signature, queries and a verified field. */
async function recorded() {
  const s = await study()
  const { owner, ids } = s
  const response = (await s.enter({ pulse: 72, symptom: 'cough, and “more”' })).body._id
  await s.enter({ pulse: 80 }, {}, owner, s.url(s.bert))
  await owner.do('updateParticipant', s.trial, s.anna, { name: 'Anna Alt' })
  const query = await owner.do('raiseQuery', s.trial, { response, dataType: ids.pulse, text: 'Is it =72?' })
  await owner.do('answerQuery', query._id, { text: 'It is.' })
  await owner.do('verifyField', s.trial, response, ids.pulse)
  await owner.do('updateTeam', s.team, { features: { ai: false } })
  const bytes = await recordBytes(s)
  const { stages } = await owner.do('exportResponses', s.trial)
  const key = await owner.do('readSigningKey')
  return { s, response, query, bytes, stages, key, at: s.now() }
}

/** The same archive with other parts; a manifest that fits them. */
function repacked(parts: Map<string, Uint8Array | string>, { isListed = true } = {}): string {
  const path = join(folder, `${++written}.zip`)
  const texts = [...parts].filter(([name]) => name !== 'MANIFEST' && name !== 'SIGNATURE.json')
  const manifest = texts.map(([name, content]) => `${sha256(content)}  ${name}\n`).join('')
  replaceFile(path, (output) => {
    const zip = zipTo(output)
    for (const [name, content] of texts) zip.store(name, Buffer.from(content).length, [Buffer.from(content)])
    zip.add('MANIFEST', isListed ? manifest : `${parts.get('MANIFEST')}`)
    zip.add('SIGNATURE.json', `${parts.get('SIGNATURE.json')}`)
    zip.end()
  })
  return path
}

describe('a study record', async () => {
  const { s, response, query, bytes, stages, key, at } = await recorded()
  const parts = partsOf(bytes)
  const path = saved(bytes)
  const study = JSON.parse(`${parts.get('study.json')}`)

  test('is signed with the key that the server shows, and holds the chain of its audit trail', async () => {
    const { fingerprint, publicKey } = key
    expect(fingerprint).toBe(sha256(Buffer.from(publicKey, 'base64')))
    const entries = rowsIn(parts, 'audit-trail.csv')
    expect(await verifyRecord(path, fingerprint)).toEqual({
      ...{ parts: parts.size, bytes: bytes.length, fingerprint },
      chain: { chain: s.trial, entries: entries.length, withheld: 0, hash: entries.at(-1)!.hash! },
      reads: 1,
    })
    const [trial, team] = study.heads
    expect(trial).toEqual({ chain: s.trial, entries: entries.length, hash: entries.at(-1)!.hash })
    expect(team).toMatchObject({ chain: s.team, hash: expect.stringMatching(/^[0-9a-f]{64}$/) })
    expect(`${parts.get('audit-chain.jsonl')}`).not.toContain('Anna Alt')
    await expect(verifyRecord(path, '0'.repeat(64))).rejects.toThrow(
      `It is signed with another key, whose fingerprint is ${fingerprint}.`,
    )
  })

  test('has the data as json, and the review as tables', async () => {
    expect(JSON.parse(`${parts.get('data/Visit.json')}`).stages).toEqual(stages)
    expect(rowsIn(parts, 'review/queries.csv')).toMatchObject([
      {
        queryId: query._id,
        participantId: 'P-1',
        responseId: response,
        field: 'pulse',
        status: 'open',
        raisedBy: s.owner.email,
      },
    ])
    expect(rowsIn(parts, 'review/query-messages.csv').map(({ queryId, text }) => [queryId, text])).toEqual([
      [query._id, 'Is it =72?'],
      [query._id, 'It is.'],
    ])
    expect(rowsIn(parts, 'review/verifications.csv')).toEqual([
      { participantId: 'P-1', responseId: response, field: 'pulse', verifiedAt: at, verifiedBy: s.owner.email! },
    ])
  })

  test('from which a byte differs is refused, or has the same content', async () => {
    const place = fc.integer({ min: 0, max: bytes.length - 1 })
    await fc.assert(
      fc.asyncProperty(place, fc.integer({ min: 1, max: 255 }), async (at, flip) => {
        const other = Buffer.from(bytes)
        other[at] = other[at]! ^ flip
        const changed = saved(other)
        const isAccepted = await verifyRecord(changed).then(
          () => true,
          () => false,
        )
        if (isAccepted) expect(partsOf(other)).toEqual(parts)
      }),
      { numRuns: 150 },
    )
  })

  const chain = `${parts.get('audit-chain.jsonl')}`
  const swapped = chain.replace('"type":"createParticipant"', '"type":"createParticipanx"')
  const without = chain.split('\n').toSpliced(3, 1).join('\n')
  const header = 'participantId\n'
  test.each<[string, { with?: [string, string]; without?: string; isListed?: boolean }, RegExp]>([
    ['with another table', { with: ['participants.csv', header] }, /SIGNATURE\.json is not a signature/],
    [
      'with another table and its old manifest',
      { with: ['participants.csv', header], isListed: false },
      /part participants\.csv was changed/,
    ],
    ['that lacks a table', { without: 'messages.csv', isListed: false }, /part messages\.csv is missing/],
    ['with a file more', { with: ['data/More.csv', 'a'], isListed: false }, /part data\/More\.csv was added/],
    ['without a signature', { with: ['SIGNATURE.json', '{}'] }, /SIGNATURE\.json is not a signature/],
  ])('%s is refused', async (_, { with: added, without: removed, isListed = true }, problem) => {
    const made = new Map<string, Uint8Array | string>(parts)
    if (added) made.set(...added)
    if (removed) made.delete(removed)
    await expect(verifyRecord(repacked(made, { isListed }))).rejects.toThrow(problem)
  })
  test('in which somebody with the key changed the audit trail is refused', async () => {
    const keys = keyPairFrom(new Uint8Array(32).fill(7))
    for (const [text, problem] of [
      [swapped, /Entry \d+ of its audit trail does not fit/],
      [without, /Entry 4 of its audit trail is missing/],
      [chain.trimEnd().split('\n').slice(0, -1).join('\n'), /does not end as study\.json says/],
    ] as const) {
      const made = new Map<string, Uint8Array | string>([...parts, ['audit-chain.jsonl', text]])
      const manifest = [...made]
        .filter(([name]) => name !== 'MANIFEST' && name !== 'SIGNATURE.json')
        .map(([name, content]) => `${sha256(content)}  ${name}\n`)
        .join('')
      made.set('SIGNATURE.json', signatureText(keys, manifest))
      await expect(verifyRecord(repacked(made))).rejects.toThrow(problem)
    }
  })

  test('is verified by the command on a machine without a server', async () => {
    const { fingerprint } = await verifyRecord(path)
    const grouped = fingerprint.toUpperCase().replace(/(.{4})(?=.)/g, '$1 ')
    const fine = await runProgram(fromSource, 'verify-record', path, '--key', grouped)
    expect([fine.code, fine.err]).toEqual([0, ''])
    expect(fine.out).toContain(`signed with the key ${fingerprint}`)
    const other = await runProgram(fromSource, 'verify-record', path, '--key', '0'.repeat(64))
    expect([other.code, other.out]).toEqual([1, ''])
    expect(other.err).toBe(`trialbox: It is signed with another key, whose fingerprint is ${fingerprint}.\n`)
    const none = await runProgram(fromSource, 'verify-record', `${path}.none`)
    expect([none.code, none.err]).toEqual([1, `trialbox: There is no file ${path}.none.\n`])
  })
})

describe('an archive is refused', () => {
  const wrong = (bytes: Uint8Array) => expect(verifyRecord(saved(bytes))).rejects
  const zip = (write: (zip: ReturnType<typeof zipTo>) => void) => {
    const path = join(folder, `${++written}.zip`)
    replaceFile(path, (output) => {
      const made = zipTo(output)
      write(made)
      made.end()
    })
    return path
  }
  test('that is none', () => wrong(Buffer.from('no zip')).toThrow('The zip archive is damaged: it cannot be verified.'))
  test('that another program wrote', async () => {
    const path = zip((made) => made.add('a.txt', 'a'))
    await expect(verifyRecord(path)).rejects.toThrow(
      'It has no MANIFEST: it is not an archive that Trialbox wrote and signed.',
    )
  })
  test('with two parts of one name', async () => {
    const path = zip((made) => {
      made.add('a.txt', 'a')
      made.add('a.txt', 'b')
    })
    await expect(verifyRecord(path)).rejects.toThrow(
      'It is not as Trialbox wrote it. Two of its parts are called a.txt.',
    )
  })
  test('if a bit around its parts differs', async () => {
    const path = join(folder, `${++written}.zip`)
    const content = Buffer.from('A part of some length.')
    const names = ['a.csv', 'b/Größe.csv']
    const manifest = names.map((name) => `${sha256(content)}  ${name}\n`).join('')
    const signature = signatureText(keyPairFrom(new Uint8Array(32).fill(7)), manifest)
    /** Where the contents of the parts are. */
    const contents: { from: number; to: number }[] = []
    replaceFile(path, (output) => {
      const made = zipTo(output)
      const add = (name: string, write: (name: string) => void) => {
        const from = output.size() + 30 + Buffer.byteLength(name)
        write(name)
        contents.push({ from, to: output.size() })
      }
      add('a.csv', (name) => made.store(name, content.length, [content]))
      add('b/Größe.csv', (name) => made.add(name, `${content}`))
      add('MANIFEST', (name) => made.add(name, manifest))
      add('SIGNATURE.json', (name) => made.add(name, signature))
      made.end()
    })
    const bytes = Buffer.from(await Bun.file(path).arrayBuffer())
    await verifyRecord(path)
    const accepted: number[] = []
    for (const [at, byte] of bytes.entries()) {
      if (contents.some(({ from, to }) => at >= from && at < to)) continue
      for (let bit = 0; bit < 8; bit++) {
        bytes[at] = byte ^ (1 << bit)
        writeFileSync(path, bytes)
        const isAccepted = await verifyRecord(path).then(
          () => true,
          () => false,
        )
        if (isAccepted) accepted.push(at)
      }
      bytes[at] = byte
    }
    expect(accepted).toEqual([])
  })
  test('with something behind the end of a compressed part', async () => {
    const packed = Buffer.concat([deflateRawSync(''), Buffer.from('more')])
    const part = { name: Buffer.from('MANIFEST'), crc: 0, packed: packed.length, size: 0, at: 0 }
    const { before } = recordsAround(part)
    const directory = [...directoryOf([part], { at: before.length + packed.length })]
    await wrong(Buffer.concat([before, packed, ...directory])).toThrow('The zip archive is damaged')
  })
  test('with something before, after or between its parts', async () => {
    const plain = Buffer.from(await Bun.file(zip((made) => made.add('a.txt', 'a'))).arrayBuffer())
    await wrong(Buffer.concat([plain, Buffer.from('more')])).toThrow(
      'It is not as Trialbox wrote it. Its directory is not its end.',
    )
    const end = plain.lastIndexOf(Buffer.from('PK\x05\x06'))
    const directory = plain.indexOf(Buffer.from('PK\x01\x02'))
    const shifted = Buffer.concat([plain.subarray(0, directory), Buffer.from('between'), plain.subarray(directory)])
    shifted.writeUInt32LE(directory + 7, end + 7 + 16)
    await wrong(shifted).toThrow('There is something between its parts and its directory.')
  })
})
