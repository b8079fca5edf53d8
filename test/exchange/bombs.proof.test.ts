/** Files that take time and memory without end are refused with the limit, and nobody else waits for them. */
import { describe, expect, test } from 'bun:test'
import type { ProcessLimits } from '#jobs/process'
import { world } from '../harness'
import { study } from '../study'
import { pdfBomb, wordBomb, workbookBomb } from './bombs'
import { ended, prompt, upload } from './generation/generation.study'

const quick: ProcessLimits = { seconds: 1, megabytes: 200 }
const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64')

describe('a document', () => {
  /** The error of a job with this document, and how the next one ends, without it. */
  async function generated(name: string, bytes: Uint8Array, readingLimits: ProcessLimits) {
    const w = world({ readingLimits })
    const build = async (files: string[]) =>
      ended(w.owner, (await w.owner.do('createTrial', w.team, { prompt, files }, { creationType: 'build' })).jobId)
    const { status, error } = await build([await upload(w, name, bytes)])
    expect(status).toBe('error')
    return { error, next: async () => (await build([])).status }
  }

  test('whose reading takes too much memory is named with the limit, and the next one is read', async () => {
    const bytes = wordBomb(3_000_000)
    expect(bytes.length).toBeLessThan(50_000)
    const { error, next } = await generated('protocol.docx', bytes, { seconds: 30, megabytes: 200 })
    expect(error).toBe(
      'Reading takes more than 200 MB of memory, which is the limit. Send a smaller file, or a part of it. ' +
        'The last step was: Reading “protocol.docx” (1 of 1).',
    )
    expect(await next()).toBe('done')
  })

  test('whose reading takes too long is named with the limit, and the next one is read', async () => {
    const bytes = pdfBomb(900, 50_000, '1 0 0 1 9 9 Tm ')
    expect(bytes.length).toBeLessThan(200_000)
    const { error, next } = await generated('protocol.pdf', bytes, { seconds: 1, megabytes: 2_000 })
    expect(error).toBe(
      'Reading takes more than 1 s of processor time, which is the limit. Send a smaller file, or a part of it. ' +
        'The last step was: Reading “protocol.pdf” (1 of 1).',
    )
    expect(await next()).toBe('done')
  })

  const roomy: ProcessLimits = { seconds: 60, megabytes: 2_000 }
  const large: [name: string, make: () => Uint8Array, problem: string][] = [
    [
      'long.pdf',
      () => pdfBomb(270, 40, `/F1 .1 Tf 1 0 0 1 9 9 Tm (${'a'.repeat(100)}) Tj `),
      'Its text is longer than 1000000 characters.',
    ],
    ['deep.docx', () => wordBomb(70_000_000), 'The archive is too large once unpacked: 64 MB are possible.'],
    ['rows.csv', () => Buffer.from('a,b\n'.repeat(500_000)), 'It has more than 20000 rows.'],
    ['disk.txt', () => new Uint8Array((64 << 20) + 1), 'It is larger than 64 MB.'],
  ]
  test.each(large)('%s is refused as soon as a limit is met', async (name, make, problem) => {
    expect((await generated(name, make(), roomy)).error).toBe(`The file “${name}” cannot be read. ${problem}`)
  })
})

describe('an instrument', () => {
  const importing = (content: string, source: 'xlsform' | 'redcap' | 'odm' = 'xlsform') => ({
    importData: { source, content },
  })

  test('whose reading takes too much is refused with the limit, and makes nothing', async () => {
    const s = await study({ world: world({ readingLimits: { ...quick, megabytes: 150 } }) })
    const url = `/trials/${s.trial}/stages?creationType=importFromExternalTool` as const
    const { status, body } = await s.owner.call('POST', url, importing(base64(workbookBomb(20_000, 100))))
    expect({ status, message: body.message }).toEqual({
      status: 400,
      message: 'Reading takes more than 150 MB of memory, which is the limit. Send a smaller file, or a part of it.',
    })
    expect((await s.owner.do('listStages', s.trial)).stages).toHaveLength(1)
  })

  test('of more fields or forms than the main thread adds at once is refused with the limit', async () => {
    const s = await study()
    const url = `/trials/${s.trial}/stages?creationType=importFromExternalTool` as const
    const item = (n: number) => `<ItemDef OID="i${n}" Name="i${n}" DataType="text"><Question/></ItemDef>`
    const count = 5_001
    const every = (make: (n: number) => string) => Array.from({ length: count }, (_, n) => make(n)).join('')
    const odm = `<ODM><Study OID="S"><MetaDataVersion OID="M" Name="M"><FormDef OID="F" Name="Visit" Repeating="No"><ItemGroupRef ItemGroupOID="G" Mandatory="No"/></FormDef><ItemGroupDef OID="G" Name="G" Repeating="No">${every((n) => `<ItemRef ItemOID="i${n}" Mandatory="No"/>`)}</ItemGroupDef>${every(item)}</MetaDataVersion></Study></ODM>`
    const { status, body } = await s.owner.call('POST', url, importing(odm, 'odm'))
    expect({ status, message: body.message }).toEqual({
      status: 400,
      message: 'There are 5001 fields; 5000 are possible at once. Send it in parts.',
    })
  })

  test('holds no export up, however many are read', async () => {
    const s = await study({ world: world({ readingLimits: { seconds: 3, megabytes: 4_000 } }) })
    const url = `/trials/${s.trial}/stages?creationType=importFromExternalTool` as const
    const content = base64(workbookBomb(40_000, 90))
    let answered = 0
    for (let n = 0; n < 4; n++) void s.owner.call('POST', url, importing(content)).then(() => answered++)
    const formats = ['json', 'raw', 'csv', 'excel'] as const
    const exports = await Promise.all(
      formats.map((type) => s.owner.call('GET', `/trials/${s.trial}/responses?type=${type}`)),
    )
    expect(exports.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    expect(answered).toBe(0)
  })
})
