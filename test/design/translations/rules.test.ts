import { describe, expect, test } from 'bun:test'
import { languageForReader } from '#design/translations/languageChoice'
import { inLanguage, keepLanguages, languageProblems, setTranslation, textsOf } from '#design/translations/rules'
import { isStale, pathText, sourceHash, sourcesAfter } from '#design/translations/sources'
import { dataTypeTexts, stageTexts } from '#design/translations/textKinds'
import { placedText } from '#kernel/refusals/reason'

const stage = {
  name: 'Visit',
  description: '',
  recurrenceNames: ['First', '', 'Third'],
  components: [
    {
      id: 'a/b',
      title: 'Pulse',
      description: 'Count',
      translations: { de: { title: 'Puls', description: ' ' }, 'de-CH': { title: 'Pulsschlag' } },
      constraint: { expression: 'x', message: 'Too high', translations: { de: { message: 'Zu hoch' } } },
    },
  ],
  onSubmitRules: [
    {
      id: 'r',
      actions: [
        { id: '1', type: 'notifyTeam', message: 'Look', translations: { de: { message: 'Nie' } } },
        { id: '2', type: 'showMessage', message: 'Rest', translations: { de: { message: 'Ruhen' } } },
      ],
    },
  ],
  translations: { de: { recurrenceNames: ['Erste', 'x', ''], description: 'left over' } },
}

describe('a stage in a language', () => {
  test('has each text that is translated, and the others as they are', () => {
    const de = inLanguage(stage, stageTexts, 'de')
    expect(de.name).toBe('Visit')
    expect(de.description).toBe('')
    expect(de.recurrenceNames).toEqual(['Erste', '', 'Third'])
    expect<unknown>(de.components[0]).toEqual({
      id: 'a/b',
      title: 'Puls',
      description: 'Count',
      constraint: { expression: 'x', message: 'Zu hoch' },
    })
    expect(de.onSubmitRules[0]?.actions.map(({ message }) => message)).toEqual(['Look', 'Ruhen'])
  })

  test.each([
    ['de-CH', 'Pulsschlag', 'Zu hoch'],
    ['de-AT', 'Puls', 'Zu hoch'],
    ['fr', 'Pulse', 'Too high'],
  ])('falls back from %s to the wider language, then to the source', (language, title, message) => {
    const [component] = inLanguage(stage, stageTexts, language).components
    expect(component).toMatchObject({ title, constraint: { message } })
  })
})

test('an option keeps its label, the value of answers, and has the translation beside it', () => {
  const type = {
    options: [{ label: 'Yes', translations: { de: { label: 'Ja' } } }, { label: 'No' }],
    scale: [{ value: 1, label: 'Never', translations: { de: { label: 'Nie' } } }],
    columns: [{ id: 'c', label: 'Dose', options: [{ label: 'Low', translations: { de: { label: 'Wenig' } } }] }],
  }
  expect(inLanguage(type, dataTypeTexts, 'de') as unknown).toEqual({
    options: [{ label: 'Yes', text: 'Ja' }, { label: 'No' }],
    scale: [{ value: 1, label: 'Nie' }],
    columns: [{ id: 'c', label: 'Dose', options: [{ label: 'Low', text: 'Wenig' }] }],
  })
})

test('every text has a path of its own, and can be set and removed by it', () => {
  const copy = structuredClone(stage)
  const places = [...textsOf(copy, stageTexts)]
  const paths = places.map(({ path }) => pathText(path))
  expect(new Set(paths).size).toBe(paths.length)
  expect(paths).toContain('components/a%2Fb/constraint/message')
  for (const place of places) setTranslation(place, 'fr', `fr ${place.source}`)
  expect([...textsOf(inLanguage(copy, stageTexts, 'fr'), stageTexts)].map(({ source }) => source)).toEqual(
    places.map(({ source }) => `fr ${source}`),
  )
  for (const place of places) setTranslation(place, 'fr', undefined)
  expect(JSON.stringify(copy)).not.toContain('"fr"')
})

test('only some languages are kept in a copy', () => {
  const kept = keepLanguages(stage, stageTexts, ['de-CH'])
  expect(JSON.stringify(kept)).not.toContain('"de"')
  expect<unknown>(kept.components[0]?.translations).toEqual({ 'de-CH': { title: 'Pulsschlag' } })
  expect(JSON.stringify(stage)).toContain('"de"')
})

test.each([
  [['en', 'de', 'de-CH'], []],
  [['en', 'de'], [/de-CH: The trial does not have this language/]],
  [['de', 'de-CH'], [/de: The texts themselves are in this language/]],
  [[], [/de-CH:/, /de:/]],
])('languages %p', (languages, problems) => {
  const found = languageProblems(stage, undefined, stageTexts, languages as string[]).map(placedText)
  expect(found).toHaveLength(problems.length)
  for (const [n, problem] of problems.entries()) expect(found.sort()[n]).toMatch(problem as RegExp)
  // What was there before a language was taken away does not stop other changes.
  expect(languageProblems(stage, stage, stageTexts, languages as string[])).toEqual([])
})

describe('what a translation was made of', () => {
  const one = (title: string, de?: string) => ({
    components: [{ id: 'q', title, ...(de === undefined ? {} : { translations: { de: { title: de } } }) }],
  })
  const stale = (after: object, before: object | undefined, known?: Record<string, string>) => {
    const sources = sourcesAfter(after, stageTexts, before, known)
    return [...textsOf(after, stageTexts)].map((place) => isStale(sources, 'de', place))
  }
  const known = { 'de components/q/title': sourceHash('Pulse') }

  test.each([
    ['a new translation', one('Pulse', 'Puls'), undefined, undefined, false],
    ['a changed source', one('Heart rate', 'Puls'), one('Pulse', 'Puls'), known, true],
    ['the source as it was again', one('Pulse', 'Puls'), one('Heart rate', 'Puls'), known, false],
    ['both changed', one('Heart rate', 'Herzfrequenz'), one('Pulse', 'Puls'), known, false],
    ['a copy of a stale one', one('Heart rate', 'Puls'), undefined, known, true],
    ['no translation', one('Heart rate'), one('Pulse', 'Puls'), known, false],
  ])('%s', (_, after, before, sources, expected) => {
    expect(stale(after, before, sources)).toEqual([expected])
  })

  test('moves with an item of a list without ids', () => {
    const reminder = (title: string, de: string) => ({ title, body: '', translations: { de: { title: de } } })
    const first = { reminders: [reminder('Come', 'Komm')] }
    const before = { reminders: [reminder('Come now', 'Komm')] }
    const sources = sourcesAfter(before, stageTexts, first, sourcesAfter(first, stageTexts, undefined))
    const after = { reminders: [reminder('New', 'Neu'), reminder('Come now', 'Komm')] }
    expect(stale(after, before, sources)).toEqual([false, true])
  })
})

test.each([
  [['en', 'de'], null, null, 'en'],
  [['en', 'de'], 'de', 'en', 'de'],
  [['en', 'de'], 'de-AT', null, 'de'],
  [['en', 'pt-BR'], 'pt', null, 'pt-BR'],
  [['en', 'de'], 'fr', 'de;q=0.5, en;q=0.1', 'de'],
  [['en', 'de'], null, 'fr, *;q=0.1', 'en'],
  [['en', 'de'], null, 'DE-ch', 'de'],
  [['en', 'de', 'de-CH'], null, 'de-CH', 'de-CH'],
  [['en', 'de'], null, 'de;q=0, en', 'en'],
  [[], 'de', 'de', null],
])('of %p for %p and %p it is %p', (languages, own, accepted, expected) => {
  expect(languageForReader(languages as string[], own, accepted)).toBe(expected)
})
