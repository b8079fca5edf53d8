import { expect, test } from 'bun:test'
import { readProtocol } from '#exchange/generation/reader/read'

const prose = `Protocol ABC-01
A randomised trial of drug A in asthma

1. Introduction
Asthma is a chronic disease of the airways. It affects 300 million people.
2. Objectives
2.1 Primary objective
To show that drug A is better than placebo.
3. Study design
3.1 Screening visit
- Informed consent will be obtained from every patient.
- Blood pressure and heart rate will be measured.
- Patients who smoke are excluded.
4. Inclusion criteria
1) Age at least 18 years
2) Written informed consent
5. References
1. Smith J. Asthma. Lancet 2020.
`
const headed = `# Protocol
## 1 Introduction
- Asthma is a chronic disease of the airways.
## 5.1 Screening visit
- Informed consent will be obtained from every patient.
- Blood pressure will be measured.
## 5.2 Follow-up visit
Patients return after two weeks.
- Adverse events are recorded.
`

test.each([
  ['numbered prose', prose, '4 lines of text and 13 lines of lists'],
  ['prose under headings', headed, '4 headings and one line of text and 4 lines of lists'],
])('a document without a readable schedule makes no stages of its sentences: %s', (_, text, found) => {
  const { stages, dataTypes, notes } = readProtocol('', { name: 'protocol.docx', text })
  expect([stages, dataTypes]).toEqual([[], []])
  expect(notes.join('\n')).toContain('“protocol.docx” holds no schedule, form or question that can be read. Found ')
  expect(notes.join('\n')).toContain(found)
  // It stops there: the sentences are not repeated one by one.
  expect(notes.length).toBeLessThan(4)
})

test('beside a schedule, the sentences of the document are left out', () => {
  const table =
    '\n| Assessment | Screening | Week 4 |\n|---|---|---|\n| Weight (kg) | X | X |\n| Physical examination | X | |\n'
  const { stages, notes } = readProtocol('', { name: 'protocol.docx', text: prose + table })
  expect(stages.map(({ name, components }) => [name, components.map(({ title }) => title)])).toEqual([
    ['Screening', ['Weight', 'Physical examination']],
    ['Week 4', ['Weight']],
  ])
  expect(notes.join('\n')).toContain('Not understood: “Introduction”')
})

test.each([
  ['abbreviations', '| Abbreviation | Meaning |\n|---|---|\n| AE | Adverse event |\n| BP | Blood pressure |'],
  ['minutes', 'Actions:\n| Who | What | When |\n|---|---|---|\n| Ann | send letter | Monday |'],
  ['figures', '| Site | Screened | Enrolled |\n|---|---|---|\n| London | 12 | 9 |\n| Leeds | 7 | 7 |'],
  ['amendments', '| Version | Date | Change |\n|---|---|---|\n| 1.0 | 1 May 2026 | |\n| 2.0 | | Dose |'],
])('a table in which something is written already is no form: %s', (_, text) => {
  const { stages, notes } = readProtocol('', { name: 'protocol.docx', text })
  expect(stages).toEqual([])
  expect(notes.join('\n')).toContain('holds no schedule, form or question that can be read. Found ')
})

test('a table whose rows are named is filled in, also in a document', () => {
  const table = '\n| Drug | Dose (mg) |\n|---|---|\n| Morning | ____ |\n| Evening | |\n'
  const { stages } = readProtocol('', { name: 'form.docx', text: `# Visit 1\nMedication:\n${table}` })
  expect(stages.map(({ components }) => components.map(({ title }) => title))).toEqual([['Medication']])
})

test('a schedule whose marks have footnotes is read', () => {
  const table = '| Assessment | Screening | Week 4 |\n|---|---|---|\n| Weight (kg) | X1 | X |\n| Pulse | (X)a,b | X* |'
  const { stages } = readProtocol('', { name: 'protocol.docx', text: `${table}\n` })
  expect(stages.map(({ name, components }) => [name, components.map(({ title }) => title)])).toEqual([
    ['Screening', ['Weight', 'Pulse']],
    ['Week 4', ['Weight', 'Pulse']],
  ])
})

test('a document of questions is a form, also without a heading', () => {
  const text = '1. Do you smoke?\n2. Weight (kg)\n3. Name of the drug\n4. Date of birth\n'
  const { stages } = readProtocol({ name: 'my questions.txt', text })
  expect(stages.map(({ name, components }) => [name, components.length])).toEqual([['My questions', 4]])
})

test('beside a prompt that asks something, an unreadable document only gives a note', () => {
  const { stages, notes } = readProtocol('# Visit 1\n1. Weight (kg)', { name: 'protocol.docx', text: headed })
  expect(stages.map(({ name }) => name)).toEqual(['Visit 1'])
  expect(notes.filter((note) => note.includes('protocol.docx'))).toHaveLength(1)
})
