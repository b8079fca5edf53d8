/** The parts of a study record that describe and document its data (docs/exports.md, "Study records"). */
import { expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { read, utils } from 'xlsx'
import { type Study, study } from '../../study'
import { temporaryFolder } from '../../temporary'
import { downloaded, ended, partsOf, recordOf, rowsIn } from './archive'

const tools = Bun.which('pdftotext') !== null

async function recordParts(s: Study) {
  const { jobId } = await s.owner.do('exportStudyRecord', s.trial)
  const result = recordOf(await ended(s.owner, jobId))
  return { parts: partsOf(await downloaded(s, result.request)), counts: result.counts }
}

function textOf(pdf: Buffer | undefined): string {
  const path = join(temporaryFolder(), `${crypto.randomUUID()}.pdf`)
  writeFileSync(path, pdf ?? '')
  return Bun.spawnSync(['pdftotext', '-layout', path, '-']).stdout.toString().replace(/\s+/g, ' ')
}

/** A study with something in each table of `conduct/`, and a participant who is archived. */
async function conducted() {
  const s = await study()
  const { owner, trial, anna, bert, carl, stage } = s
  await s.enter({ pulse: 72, smoker: ['No'] })
  await s.enter({ pulse: 74 }, { updateNote: 'Misread the display' })
  await s.enter({ pulse: 99 }, {}, owner, s.url(carl))
  for (const [participant, note] of [
    [anna, 'Called, all well 🙂'],
    [carl, 'Moved away'],
  ] as const)
    await owner.do('createNote', trial, participant, { note })
  const anchor = await owner.do('createAnchor', trial, { name: 'Surgery' })
  await owner.do('setAnchorDate', trial, anna, anchor._id, { datetime: '2026-03-04T00:00:00Z' })
  await owner.do('moveStageOpening', trial, anna, { stage, enableAt: '2026-03-10T08:00:00Z' })
  const { _id: lane } = await owner.do('createTaskLane', trial, { name: 'To do' })
  await owner.do('createTask', trial, { title: 'Order kits', taskLane: lane, assignees: [owner._id] })
  await owner.do('updateParticipant', trial, carl, { isArchived: true })
  return { s, bert }
}

test('a record has casebooks, a codebook of every column, the history, and what people noted and planned', async () => {
  const { s } = await conducted()
  const { parts, counts } = await recordParts(s)
  const named = (folder: string) => [...parts.keys()].filter((name) => name.startsWith(folder))
  expect([named('casebooks/'), counts.casebooks]).toEqual([['casebooks/P-1.pdf', 'casebooks/P-2.pdf'].toSorted(), 2])
  if (tools) {
    const text = textOf(parts.get('casebooks/P-1.pdf'))
    for (const each of [
      'Casebook: P-1',
      'Made for',
      s.owner.email!,
      'No (0)',
      'Reason: Misread the display',
      '72 → 74',
    ])
      expect(text).toContain(each)
  }
  // The codebook has each column of the table under its name, with the codes that the table does not show.
  const [header = ''] = `${parts.get('data/Visit.csv')}`.split('\r\n')
  const book = read(parts.get('codebook.xlsx')!)
  const rows = utils.sheet_to_json<Record<string, unknown>>(book.Sheets.Visit!)
  expect(rows.map(({ name }) => name)).toEqual(header.replace('\ufeff', '').split(','))
  expect(rows.find(({ name }) => name === 'smoker')).toMatchObject({ codes: '1 = Yes\n0 = No' })
  expect(`${parts.get('codebook.html')}`).toContain('<code>smoker</code>')

  expect(rowsIn(parts, 'data-history.csv').filter(({ field }) => field === 'pulse')).toMatchObject([
    { participantId: 'P-1', before: '', after: '72' },
    { participantId: 'P-1', before: '72', after: '74', updateNote: 'Misread the display' },
  ])
  expect(rowsIn(parts, 'conduct/notes.csv')).toMatchObject([
    { participantId: 'P-1', note: 'Called, all well 🙂', createdBy: s.owner.email },
  ])
  expect(rowsIn(parts, 'conduct/tasks.csv')).toMatchObject([{ title: 'Order kits', assignees: s.owner.email }])
  expect(rowsIn(parts, 'conduct/anchors.csv')).toEqual([
    { participantId: 'P-1', anchor: 'Surgery', anchoredAt: '2026-03-04T00:00:00.000000Z' },
  ])
  expect(rowsIn(parts, 'conduct/stage-overrides.csv')).toMatchObject([
    { participantId: 'P-1', stage: 'Visit', opensAt: '2026-03-10T08:00:00.000000Z' },
  ])
  expect(rowsIn(parts, 'conduct/people.csv')).toContainEqual(
    expect.objectContaining({ email: s.owner.email, holds: 'team' }),
  )
  // Nothing of the archived participant, in names or in contents.
  for (const [name, content] of parts)
    if (!/^(audit|MANIFEST|account|codebook)/.test(name))
      expect([name, content.toString('latin1').includes('Moved away')]).toEqual([name, false])
})
