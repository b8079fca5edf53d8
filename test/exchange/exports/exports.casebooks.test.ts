/** Casebooks: a PDF for each participant (docs/exports.md, "Casebooks"). */
import { describe, expect, test } from 'bun:test'
import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { verifyRecord } from '#exchange/studyRecord/verifyRecord'
import { signatureStudy } from '../../conduct/signatures/signatures.study'
import type { World } from '../../harness'
import { temporaryFolder } from '../../temporary'
import { downloaded, manifestIn, partsOf } from '../studyRecord/archive'
import { everyFormat } from './exportStudy'
import { entries, twoSites } from './exports.study'

const tools = Bun.which('pdftotext') !== null && Bun.which('pdfinfo') !== null

async function casebooksOf(
  here: Pick<World, 'fetch'>,
  by: Pick<World['owner'], 'get'>,
  url: `/trials/${string}/responses?${string}`,
) {
  const made = await by.get<'exportResponses'>(url)
  if (!('request' in made)) throw new Error('There is no link.')
  const bytes = await downloaded(here, String(made.request))
  return { bytes, parts: partsOf(bytes) }
}

function textOf(pdf: Buffer | undefined): string {
  const path = join(temporaryFolder(), `${crypto.randomUUID()}.pdf`)
  writeFileSync(path, pdf ?? '')
  const read = (program: string, ...rest: string[]) => Bun.spawnSync([program, path, ...rest]).stdout.toString()
  return read('pdftotext', '-layout', '-') + read('pdfinfo')
}

const squeezed = (text: string) => text.replace(/\s+/g, ' ')

describe('casebooks', () => {
  test.skipIf(!tools)('have the answers of each participant, and are signed', async () => {
    const { here, of, url, open, stage, anna, b } = await twoSites()
    of.participant('../p:1', { sites: [b] })
    of.participant('archived', { isArchived: true })
    const all = Object.entries(everyFormat).filter(([code]) => code !== 'pulse')
    const ids = all.map(([code, settings]) => of.field(code, settings))
    const more = of.stage('Week %n', ids)
    const field = (code: string) => ids[all.findIndex(([each]) => each === code)] ?? ''
    await of.submit(anna, more, {
      [field('comment')]: 'Ärztin: 漢字 and שלום',
      [field('smoker')]: ['No'],
      [field('effects')]: ['Nausea', '=Pain'],
      [field('mood')]: { q1: 2, q2: null },
      [field('drugs')]: [{ name: 'Aspirin' }, { name: 'Ibuprofen' }],
      [field('mass')]: { height: 180, weight: 81 },
    })
    await of.submit(anna, stage, { [open]: 62 })
    await of.submit(anna, more, {
      [field('comment')]: 'First line\nsecond line',
      [field('taken')]: '2026-03-01T10:00:00.000000Z',
    })
    const { bytes, parts } = await casebooksOf(here, here.owner, `${url}?type=pdf&history=true`)
    const names = [...parts.keys()].filter((name) => name.endsWith('.pdf'))
    expect(names).toHaveLength(3)
    expect(names).toContain('P-1.pdf')
    for (const name of names) expect(name).not.toMatch(/[/:\\]/)
    expect(manifestIn(parts).said).toEqual(manifestIn(parts).true)
    const path = join(temporaryFolder(), 'casebooks.zip')
    writeFileSync(path, bytes)
    expect(await verifyRecord(path)).toMatchObject({ parts: parts.size })
    const text = squeezed(textOf(parts.get('P-1.pdf')))
    for (const part of [
      ...[
        'Participant ID P-1',
        'Sites S-A',
        here.owner.email ?? '',
        'The pulse [pulse] 62',
        'The street [street] Elm 1',
      ],
      ...[
        'No (2)',
        'Nausea (1)',
        '=Pain (3)',
        'BMI: 25 kg/m²',
        'Row 1: Name: Aspirin',
        'Row 2: Name: Ibuprofen',
        'The diary [diary] Blank',
      ],
      ...[
        '61 → 62',
        'Page 1 of 2',
        'Before: Ärztin',
        'After: First line second line',
        '2026-03-01 10:00:00 UTC',
        'Ärztin: □□ and □□□□',
        'shown as a box',
      ],
    ])
      expect(text).toContain(part)
    // What the fonts lack is whole in a text beside the PDF; the others need none.
    const whole = `${parts.get('P-1.txt')}`
    for (const part of [
      'Ärztin: 漢字 and שלום',
      'The street [street]\n  Elm 1',
      'Before: Ärztin: 漢字 and שלום\n',
      'Participant ID: P-1',
      '61 → 62',
    ])
      expect(whole).toContain(part)
    expect([...parts.keys()].filter((name) => name.endsWith('.txt'))).toEqual(['P-1.txt', 'README.txt'])
    expect(`${parts.get('README.txt')}`).toContain('history      true')
    expect(entries(here, 'exportResponse').at(-1)?.event).toMatchObject({ format: 'pdf', history: true, rows: 3 })
    expect(readdirSync(here.service.services.storage.exports)).toHaveLength(1)
  })

  test.skipIf(!tools)('have queries, marks and signatures, and say whether these are valid', async () => {
    const s = await signatureStudy()
    await s.owner.do('raiseQuery', s.trial, { response: s.first, dataType: s.ids.pulse, text: 'Is 60 right?' })
    await s.owner.do('verifyResponse', s.trial, s.first)
    await s.app.do('signResponses', s.trial, { participant: s.anna, meaning: 'I reviewed it' })
    const url = `/trials/${s.trial}/responses` as const
    const read = async () => squeezed(textOf((await casebooksOf(s, s.owner, `${url}?type=pdf`)).parts.get('P-1.pdf')))
    const text = await read()
    for (const part of [
      'Query, open',
      'Is 60 right?',
      'Verified against the source',
      'I reviewed it:',
      'Valid for this',
    ])
      expect(text).toContain(part)
    expect(text).toMatch(/SHA-256 of the signed response: [0-9a-f]{64}/)
    expect(text).not.toContain('Not valid any more')
    const again = await s.owner.call('PUT', `${s.responseUrl()}::0`, {
      response: s.sent({ pulse: 66 }),
      updateNote: 'Misread.',
    })
    expect(again.status).toBe(200)
    expect(await read()).toContain('Not valid any more')
  })

  test.skipIf(!tools)('have earlier answers to statements and columns that were removed since', async () => {
    const s = await signatureStudy()
    await s.owner.call('PUT', `${s.responseUrl()}::0`, {
      response: s.sent({ mood: { q1: 2, q2: 1 }, drugs: [{ name: 'Aspirin', dose: 7 }] }),
    })
    await s.owner.call('PUT', `${s.responseUrl()}::0`, {
      response: s.sent({ mood: { q1: 3 }, drugs: [{ name: 'Ibuprofen' }] }),
    })
    await s.owner.do('updateDataType', s.ids.mood, { statements: [{ key: 'q1', label: 'Calm' }] })
    await s.owner.do('updateDataType', s.ids.drugs, { columns: [{ id: 'name', label: 'Name', format: 'text' }] })
    const { parts } = await casebooksOf(s, s.owner, `/trials/${s.trial}/responses?type=pdf&history=true`)
    const text = squeezed(textOf(parts.get('P-1.pdf')))
    expect(text).toContain('Calm: level 2 (2); q2 (removed): 1 → Calm: level 3 (3)')
    expect(text).toContain('Row 1: Name: Aspirin; dose (removed): 7 → Row 1: Name: Ibuprofen')
  })

  test.skipIf(!tools)('have nothing that their reader may not see', async () => {
    const { here, url, of } = await twoSites()
    const reader = here.staff(of.trial, ['trial.readParticipantStudyData', 'trial.exportData'])
    const { parts } = await casebooksOf(here, reader, `${url}?type=pdf&history=true`)
    for (const name of ['P-1.pdf', 'P-2.pdf']) {
      const text = textOf(parts.get(name))
      expect(text).toContain('[pulse]')
      expect(text).not.toMatch(/hiv|street|Elm 1|Oak 2/)
    }
  })

  test('a participant README does not take the place of the README', async () => {
    const { here, of, url } = await twoSites()
    of.participant('README')
    of.participant('漢字')
    const { parts } = await casebooksOf(here, here.owner, `${url}?type=pdf`)
    expect([...parts.keys()]).toEqual(
      expect.arrayContaining(['README_2.pdf', 'README.txt', '漢字.pdf', '漢字.txt', 'P-1.pdf']),
    )
  })

  test('are of the participants whom the filters leave', async () => {
    const { here, url, a, stage } = await twoSites()
    const names = async (filter: string) => {
      const { parts } = await casebooksOf(here, here.owner, `${url}?type=pdf&${filter}`)
      return [...parts.keys()].filter((name) => name.endsWith('.pdf'))
    }
    expect(await names(`sites=${a}`)).toEqual(['P-1.pdf'])
    expect(await names(`stages=${stage}`)).toEqual(['P-1.pdf', 'P-2.pdf'])
    expect(await names('from=2199-01-01')).toEqual([])
  })

  test('need the permission and the feature, and refuse the form of tables', async () => {
    const { here, url, of } = await twoSites()
    const reader = here.staff(of.trial, ['trial.readParticipantStudyData'])
    expect((await reader.call('GET', `${url}?type=pdf`)).status).toBe(403)
    expect((await here.owner.call('GET', `${url}?type=pdf&shape=wide`)).status).toBe(422)
    expect((await here.owner.call('GET', `${url}?type=csv&history=true`)).status).toBe(422)
    const { team } = await here.owner.do('readTrial', of.trial)
    await here.owner.do('updateTeam', team, { features: { advancedExport: false } })
    expect((await here.owner.call('GET', `${url}?type=pdf`)).status).toBe(403)
  })
})
