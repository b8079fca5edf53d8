import { expect, test } from 'bun:test'
import { PDFDocument, StandardFonts } from '@cantoo/pdf-lib'
import { Document, HeadingLevel, Packer, Paragraph, Table, TableCell, TableRow } from 'docx'
import { utils, write } from 'xlsx'
import { world } from '../../harness'
import { firstOf, present } from '../../present'
import { until } from '../../until'
import { ended, prompt, upload } from './generation.study'

async function documents() {
  const cell = (text: string) => new TableCell({ children: [new Paragraph(text)] })
  const word = new Document({
    sections: [
      {
        children: [
          new Paragraph({ text: 'Screening visit', heading: HeadingLevel.HEADING_1 }),
          new Paragraph({ text: 'Date of birth (required)', bullet: { level: 0 } }),
          new Table({
            rows: [
              ['How was it', 'Bad', 'Good'],
              ['Sleep', '', ''],
            ].map((row) => new TableRow({ children: row.map(cell) })),
          }),
        ],
      },
    ],
  })
  const pdf = await PDFDocument.create()
  const font = await pdf.embedFont(StandardFonts.Helvetica)
  const page = pdf.addPage()
  page.drawText('Visit 2, day 14', { x: 50, y: 700, size: 20, font })
  page.drawText('1. Temperature (°C)', { x: 50, y: 650, size: 12, font })
  const book = utils.book_new()
  const rows = [
    ['Form', 'Question', 'Type', 'Options', 'Required'],
    ['Side effects', 'Severity', 'choice', 'Mild; Moderate; Severe', 'yes'],
    ['Side effects', 'Onset', 'date', '', ''],
  ]
  utils.book_append_sheet(book, utils.aoa_to_sheet(rows), 'Sheet1')
  return {
    'protocol.docx': new Uint8Array(await Packer.toBuffer(word)),
    'visits.pdf': await pdf.save(),
    'fields.xlsx': new Uint8Array(write(book, { type: 'array', bookType: 'xlsx' })),
    'more.csv': 'Question,Unit\nWaist,cm\n',
    'notes.md': '# Weekly survey\nWeekly for 8 weeks.\n\n1. Do you sleep well?\n',
    'end.txt': 'FINAL VISIT\n\n1. Comments\n',
  }
}

test('a trial is generated from a prompt and documents of every kind', async () => {
  const w = world()
  const creator = w.invite(['trials.create'])
  const stored: string[] = []
  for (const [name, content] of Object.entries(await documents())) stored.push(await upload(w, name, content))
  const { jobId } = await creator.do(
    'createTrial',
    w.team,
    {
      prompt: '# Baseline visit\n1. Weight (kg)',
      files: stored,
      name: 'Sleep',
    },
    { creationType: 'build' },
  )
  await until(async () => (await creator.do('readJob', jobId)).status !== 'pending')
  const { status, error, result } = await creator.do('readJob', jobId)
  expect([status, error]).toEqual(['done', null])
  const { notes, ...trial } = present(result)
  expect(trial).toEqual(await creator.do('readTrial', `${trial._id}`))
  expect(trial).toMatchObject({ name: 'Sleep', code: 'sleep', restrictRegistration: true, team: w.team })
  expect(notes).toBeArray()
  const { stages } = await creator.do('listStages', `${trial._id}`)
  const { dataTypes } = await creator.do('listDataTypes', `${trial._id}`)
  expect(stages.map(({ name }) => name)).toEqual([
    'Baseline visit',
    'Screening visit',
    'Visit 2',
    'Side effects',
    'More',
    'Weekly survey',
    'FINAL VISIT',
  ])
  expect(dataTypes.map(({ code, format }) => `${code}:${format}`)).toEqual([
    'weight:float',
    'date_of_birth:date',
    'how_was_it:likert',
    'temperature:float',
    'severity:choice',
    'onset:date',
    'waist:float',
    'do_you_sleep_well:choice',
    'comments:paragraph',
  ])
  expect(present(stages[2]).enableAfter).toEqual({
    type: 'stage',
    stage: firstOf(stages)._id,
    stageRecurrence: 0,
    delay: 14,
  })
  expect(firstOf(present(stages[1]).components).isRequired).toBe(true)
  const { entries } = await creator.do('readLogs', `${trial._id}`, { type: 'createTrial' })
  expect(entries[0]).toMatchObject({ userEmail: creator.email })
})

test('unsuitable files are 400; unreadable ones end the job with an error that names the file', async () => {
  const w = world()
  const url = `/teams/${w.team}/trials?creationType=build` as const
  const other = w.neighbours()
  for (const [name, change] of [
    ['a.txt', { forId: other.team }],
    ['a.txt', { forType: 'user', forId: other.owner._id }],
    ['a.txt', { finishedAt: null }],
    ['a.exe', {}],
  ] as const) {
    const { status } = await w.owner.call('POST', url, { prompt, files: [await upload(w, name, 'x', change)] })
    expect(status).toBe(400)
  }
  w.clock(60_000_000)
  expect((await w.owner.call('POST', url, { prompt, files: ['nothing'] })).status).toBe(400)
  for (const [body, field] of [
    [{}, 'prompt'],
    [{ prompt: 'x'.repeat(50_001) }, 'prompt'],
    [{ prompt, files: Array(21).fill('a') }, 'files'],
    [{ prompt, copyFrom: '0'.repeat(24) }, 'copyFrom'],
  ] as const) {
    w.clock(60_000_000)
    const { status, body: answer } = await w.owner.call('POST', url, body)
    expect([status, Object.keys(answer.validations.json)]).toEqual([422, [field]])
  }
  expect((await w.owner.call('POST', `/teams/${w.team}/trials`, { name: 'A trial', prompt })).status).toBe(422)
  w.clock(120_000_000)
  for (const name of ['bad.docx', 'bad.pdf', 'bad.xlsx', 'empty.txt']) {
    const file = await upload(w, name, name === 'empty.txt' ? ' ' : 'no such thing', {
      forType: 'user',
      forId: w.owner._id,
    })
    const { jobId } = await w.owner.do('createTrial', w.team, { prompt, files: [file] }, { creationType: 'build' })
    const { status, error } = await ended(w.owner, jobId)
    expect(status).toBe('error')
    expect(error).toStartWith(`The file “${name}” cannot be read. It `)
  }
  expect((await w.owner.do('listTrials', w.team)).trials).toEqual([])
})
