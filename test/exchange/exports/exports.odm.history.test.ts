/** The whole history as ODM, and queries at their items (docs/odm.md, "The whole history"). */
import { describe, expect, test } from 'bun:test'
import { attribute, children, textIn, type Xml } from '#documents/xml'
import { signatureStudy } from '../../conduct/signatures/signatures.study'
import { world } from '../../harness'
import { everyFormat, study } from './exportStudy'
import { complaints, expectValid, lint, odmOf, within } from './odmFile'
import { expectStructure } from './odmStructure'

const versions = ['1.3.2', '2.0'] as const
type Version = (typeof versions)[number]
type Study = Awaited<ReturnType<typeof signatureStudy>>

async function fileOf(s: Study, version: Version, by = s.owner, more = '') {
  const url = `/trials/${s.trial}/responses?type=odm&odmVersion=${version}${more}` as const
  const file = await odmOf(s, by, url)
  expectStructure(file.text, version)
  if (lint) expect(complaints(file.path)).toBe('')
  expectValid(file.path, version)
  return file
}

/** The form of an event. */
const formOf = (event: Xml): Xml => children(event, 'FormData')[0] ?? children(event, 'ItemGroupData')[0] ?? {}
const valueIn = (item: Xml) => attribute(item, 'Value') || textIn(children(item, 'Value')[0])

/** Each item of the file with its transaction, value, time and reason, in the order of the file. */
const transactions = (root: Xml) =>
  within(root, 'StudyEventData').flatMap((event) =>
    within(event, 'ItemData').map((item) => ({
      event: attribute(event, 'TransactionType'),
      item: attribute(item, 'ItemOID').split('.').at(-1),
      type: attribute(item, 'TransactionType'),
      value: valueIn(item),
      reason: textIn(within(item, 'ReasonForChange')[0]),
    })),
  )

describe.each(versions)('the history as ODM %s', (version) => {
  test('has each change in its order with who, when and why, and each signature', async () => {
    const s = await signatureStudy()
    s.clock(1_000_000)
    await s.app.do('signResponses', s.trial, { participant: s.anna, meaning: 'I reviewed it' })
    s.clock(1_000_000)
    await s.owner.call('PUT', `${s.responseUrl()}::0`, {
      response: s.sent({ pulse: 66 }),
      updateNote: 'Misread <at> first.',
    })
    await s.owner.call('PUT', `${s.responseUrl()}::0`, { response: s.sent({ smoker: null }), updateNote: 'Not asked.' })
    const { root, text, parts } = await fileOf(s, version, s.owner, '&history=true')
    expect(attribute(root, 'FileType')).toBe('Transactional')
    expect(`${parts.get('README.txt')}`).toContain('the whole history')
    const found = transactions(root)
    expect(found.filter(({ item }) => item === 'pulse')).toEqual([
      { event: 'Insert', item: 'pulse', type: 'Insert', value: '60', reason: '' },
      { event: 'Insert', item: 'pulse', type: 'Insert', value: '61', reason: '' },
      { event: 'Update', item: 'pulse', type: 'Update', value: '66', reason: 'Misread <at> first.' },
    ])
    expect(found.filter(({ item }) => item === 'smoker').map(({ type }) => type)).toEqual(['Insert', 'Remove'])
    expect(found.at(-1)).toMatchObject({ item: 'smoker', type: 'Remove', value: '', reason: 'Not asked.' })
    const users = within(within(root, 'ClinicalData')[0] ?? {}, 'UserRef').map((each) => attribute(each, 'UserOID'))
    expect(new Set(users)).toEqual(new Set([`U.${s.owner._id}`]))
    const events = within(root, 'StudyEventData')
    const signed = events.flatMap((event, at) => (within(event, 'Signature').length ? [at] : []))
    // The signature is between what it covers and what ended it.
    expect(signed).toEqual([2, 3])
    expect(events.slice(4).map((event) => attribute(event, 'TransactionType'))).toEqual(['Update', 'Update'])
    expect(text).toContain('This signature is not valid any more.')
  })

  test('has rows that were added, changed and removed', async () => {
    const here = world()
    const of = study(here)
    const drugs = of.field('drugs', everyFormat.drugs ?? {})
    const effects = of.field('effects', everyFormat.effects ?? {})
    const stage = of.stage('Visit', [drugs, effects])
    const anna = of.participant('P-1')
    await of.submit(anna, stage, { [drugs]: [{ name: 'A' }, { name: 'B' }], [effects]: ['Nausea'] })
    await of.submit(anna, stage, { [drugs]: [{ name: 'A' }], [effects]: ['Nausea', '=Pain'] })
    await of.submit(anna, stage, { [drugs]: [{ name: 'Z' }, { name: 'C' }], [effects]: ['Nausea', '=Pain'] })
    const url = `/trials/${of.trial}/responses?type=odm&history=true&odmVersion=${version}` as const
    const { root, text } = await odmOf(here, here.owner, url)
    expectStructure(text, version)
    const rows = within(root, 'StudyEventData').map((event) =>
      within(formOf(event), 'ItemGroupData').map((group) =>
        [
          attribute(group, 'ItemGroupRepeatKey'),
          attribute(group, 'TransactionType'),
          ...children(group, 'ItemData').map((item) => `${attribute(item, 'TransactionType')} ${valueIn(item)}`),
        ].join(' '),
      ),
    )
    expect(rows).toEqual([
      ['1 Insert Insert A', '2 Insert Insert B', '1 Insert Insert 1'],
      ['2 Remove Remove ', '2 Insert Insert 3'],
      ['1 Update Update Z', '2 Insert Insert C'],
    ])
  })

  test('has nothing that its reader may not see, nor notes that may quote it', async () => {
    const here = world()
    const of = study(here)
    const [pulse, hiv] = [of.field('pulse', { format: 'integer' }), of.field('hiv', { isRestricted: true })]
    const stage = of.stage('Visit', [pulse, hiv])
    const anna = of.participant('P-1')
    await of.submit(anna, stage, { [pulse]: 61, [hiv]: 'secret 1' })
    await of.submit(anna, stage, { [hiv]: 'secret 2' })
    const reader = here.staff(of.trial, ['trial.readParticipantStudyData', 'trial.exportData'])
    const url = `/trials/${of.trial}/responses?type=odm&history=true&odmVersion=${version}` as const
    const { text, root } = await odmOf(here, reader, url)
    expectStructure(text, version)
    expect(text).not.toMatch(/secret|\bhiv\b/)
    expect(transactions(root).map(({ value }) => value)).toEqual(['61'])
    expect((await odmOf(here, here.owner, url)).text).toMatch(/secret 1[\s\S]*secret 2/)
  })
})

describe.each(versions)('queries in ODM %s', (version) => {
  test('stand at their items, for readers who may see them', async () => {
    const s = await signatureStudy()
    const raise = (dataType: string | null, text: string) =>
      s.owner.do('raiseQuery', s.trial, { response: s.first, ...(dataType ? { dataType } : {}), text })
    await raise(s.ids.pulse ?? '', 'Is 60 right? \u0001')
    await raise(s.ids.symptom ?? '', 'Which symptom?')
    await raise(null, 'Who filled it in?')
    for (const more of ['', '&history=true']) {
      const { root } = await fileOf(s, version, s.owner, more)
      const saying = (element: Xml) =>
        [...children(element, 'Query'), ...children(element, 'Annotation')]
          .flatMap((each) => [
            each,
            ...within(each, 'Comment'),
            ...within(each, 'Value'),
            ...within(each, 'TranslatedText'),
          ])
          .map(textIn)
          .join(' ')
      const items = within(root, 'ItemData').filter((item) => /Is 60|symptom\?/.test(saying(item)))
      expect(items.map((item) => attribute(item, 'ItemOID').split('.').at(-1)).toSorted()).toEqual(['pulse', 'symptom'])
      const forms = within(root, 'StudyEventData').map(formOf)
      expect(forms.map(saying).join(' ')).toContain('Who filled it in?')
      expect(forms.map(saying).join(' ')).not.toContain('Is 60')
      if (version === '2.0') {
        const queries = within(root, 'Query')
        expect(queries.map((query) => attribute(query, 'State'))).toEqual(['Open', 'Open', 'Open'])
        expect(queries.map((query) => textIn(children(query, 'Value')[0])).toSorted()).toEqual([
          '"Is 60 right? \\u0001"',
          'Which symptom?',
          'Who filled it in?',
        ])
      }
    }
  })
})
