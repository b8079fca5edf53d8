/** Translations in study records, printed forms and forms of other tools. */
import { describe, expect, test } from 'bun:test'
import { configuration } from '#design/configuration/configuration'
import { formTranslations } from '#design/translations/files/table'
import { trialById } from '#design/trials/store'
import { attribute, children, textIn, xmlOf } from '#documents/xml'
import { unreadable } from '#kernel/fault'
import { entriesOf } from '#writers/unzip'
import { expectValid, odmOf, within } from '../../../exchange/exports/odmFile'
import { expectStructure } from '../../../exchange/exports/odmStructure'
import { present } from '../../../present'
import { smoker, translated } from './translatedStudy'

test('a study record lists the translations of the forms', async () => {
  const s = await translated()
  const trial = present(trialById(s.db, s.trial))
  const { rows } = present(formTranslations(configuration(s.db, trial)))
  expect([...rows]).toContainEqual([
    ...[
      'de',
      `stages/${s.stage}/components/smoker/title`,
      'Stages › Visit › Smoker',
      'title',
      'Smoker',
      'Rauchen Sie?',
    ],
  ])
  expect(formTranslations({ stageOrder: [], dataTypes: new Map() })).toBeUndefined()
})

test('a blank form is printed in a language, with the translations of its options', async () => {
  const s = await translated()
  const { url } = await s.owner.do('readStage', s.stage, { format: 'docx', language: 'de' })
  const zip = new Uint8Array(await (await s.fetch(url)).arrayBuffer())
  const parts = entriesOf(zip, 1 << 24, unreadable).filter(({ name }) => name.endsWith('.xml'))
  const text = parts.map((part) => new TextDecoder().decode(part.read())).join('')
  expect(['Besuch', 'Rauchen Sie?', 'Nein', 'Do you', 'Yes'].filter((word) => text.includes(word))).toEqual([
    ...['Besuch', 'Rauchen Sie?', 'Nein'],
  ])
  for (const query of ['format=pdf&language=it', 'format=odm&language=de', 'language=de'])
    expect((await s.owner.call('GET', `${s.stageUrl}?${query}` as const)).status).toBe(422)
})

test.each(['1.3.2', '2.0'] as const)('an export as ODM %s has the texts in each language', async (version) => {
  const s = await translated()
  const fr = (label: string) => ({ translations: { fr: { label } } })
  await s.owner.do('updateDataType', s.ids.girth!, { translations: { de: { name: 'Umfang', unit: 'Zentimeter' } } })
  await s.owner.do('updateDataType', s.ids.mood!, {
    scale: [0, 1, 2, 3].map((value) => ({ value, label: `level ${value}`, ...(value === 3 ? fr('niveau 3') : {}) })),
    statements: [
      { key: 'q1', label: 'Calm', ...fr('Calme') },
      { key: 'q2', label: 'Cheerful' },
    ],
  })
  await s.owner.do('updateDataType', s.ids.drugs!, {
    columns: [
      { id: 'name', label: 'Name', format: 'text', ...fr('Nom') },
      { id: 'dose', label: 'Dose', format: 'integer', min: 1 },
    ],
  })
  const { path, text } = await odmOf(s, s.owner, `${s.at}/responses?type=odm&odmVersion=${version}`)
  expectStructure(text, version)
  expectValid(path, version)
  const [root] = children(xmlOf(text), 'ODM')
  /** The texts of all elements with that name, as `language: text`. */
  const texts = (name: string) =>
    within(present(root), name).map((element) =>
      children(element, 'TranslatedText').map((each) => `${attribute(each, 'xml:lang')}: ${textIn(each)}`),
    )
  expect(texts('Question')).toContainEqual(['en: Smoker', 'de: Raucht'])
  expect(texts('Question')).toContainEqual(['en: Girth', 'de: Umfang'])
  expect(texts('Question')).toContainEqual(['en: Calm', 'fr: Calme'])
  expect(texts('Question')).toContainEqual(['en: Cheerful'])
  expect(texts('Question')).toContainEqual(['en: Name', 'fr: Nom'])
  expect(texts('Decode')).toContainEqual(['en: Yes', 'de: Ja'])
  expect(texts('Decode')).toContainEqual(['en: No', 'de: Nein'])
  expect(texts('Decode')).toContainEqual(['en: level 3', 'fr: niveau 3'])
  expect(texts('Decode')).toContainEqual(['en: level 2'])
  if (version === '2.0') expect(texts('Description')).toContainEqual(['en: Breath study', 'de: Atemstudie'])
  else expect(texts('Symbol')).toContainEqual(['en: cm', 'de: Zentimeter'])
})

describe('forms of other tools', () => {
  test.each(['xlsform', 'odm', 'redcap'] as const)('%s brings the translations back', async (source) => {
    const s = await translated()
    const { url } = await s.owner.do('readStage', s.stage, { format: source })
    const bytes = Buffer.from(await (await s.fetch(url)).arrayBuffer())
    const content = source === 'xlsform' ? bytes.toString('base64') : bytes.toString()
    const target = (await s.owner.do('createTrial', s.team, { name: 'Target' }))._id
    const bring = () =>
      s.owner.do(
        'createStage',
        target,
        {
          importData: { source, content },
        },
        { creationType: 'importFromExternalTool' },
      )
    const without = await bring()
    expect(JSON.stringify(without.components)).not.toContain('Rauchen Sie?')
    expect(JSON.stringify((without as { warnings?: unknown }).warnings)).toContain('"field":"de"')
    await s.owner.do('updateTrial', target, { languages: ['en', 'de'] })
    const made = (await bring()) as { name: string; translations?: unknown; components?: { id: string }[] }
    const original = await s.owner.do('readStage', s.stage)
    expect(made.translations).toEqual(original.translations)
    const component = present(made.components?.find(({ id }) => id === 'smoker'))
    expect(component).toMatchObject({ translations: { de: { title: 'Rauchen Sie?' } } })
    const { dataTypes } = await s.owner.do('listDataTypes', target)
    expect(dataTypes.filter(({ name }) => name === 'Smoker').at(-1)?.options).toMatchObject(smoker.options)
  })
})
