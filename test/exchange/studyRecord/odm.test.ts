/** The ODM files of a study record (docs/exports.md, "Study records"). */
import { expect, test } from 'bun:test'
import { children, xmlOf } from '#documents/xml'
import { world } from '../../harness'
import { everyFormat, study } from '../exports/exportStudy'
import { valuesOf, within } from '../exports/odmFile'
import { expectStructure } from '../exports/odmStructure'
import { downloaded, ended, manifestIn, partsOf, recordOf } from './archive'

test('a record has an ODM file of each stage, with the participants who answered it and whom it refers to', async () => {
  const here = world()
  const of = study(here)
  const ids = Object.entries(everyFormat).map(([code, settings]) => of.field(code, settings))
  const [pulse = '', mood = ''] = [ids[2], ids[9]]
  const [visit, diary, unanswered] = [of.stage('Visit', ids), of.stage('Diary', [pulse]), of.stage('Later', [pulse])]
  const [anna, bert] = [of.participant('P-1', { sites: [of.site('S-A')] }), of.participant('P-2')]
  await of.submit(anna, visit, { [pulse]: 61, [mood]: { q1: 2, q2: null } })
  await of.submit(anna, visit, { [pulse]: 62 })
  await of.submit(anna, diary, { [pulse]: 70 })
  await of.submit(bert, diary, { [pulse]: 80 })
  const { jobId } = await here.owner.do('exportStudyRecord', of.trial)
  const parts = partsOf(await downloaded(here, recordOf(await ended(here.owner, jobId)).request))
  expect(manifestIn(parts).said).toEqual(manifestIn(parts).true)
  expect([...parts.keys()].filter((name) => name.endsWith('.xml'))).toEqual([
    ...['data/Visit.xml', 'data/Diary.xml', 'data/Later.xml'],
  ])
  const fileOf = (name: string) => {
    const text = `${parts.get(`data/${name}.xml`)}`
    expectStructure(text)
    const [root = {}] = children(xmlOf(text), 'ODM')
    return { text, root, stages: within(root, 'StudyEventDef').length, subjects: within(root, 'SubjectData').length }
  }
  const [first, second, third] = [fileOf('Visit'), fileOf('Diary'), fileOf('Later')]
  expect([first, second, third].map(({ stages, subjects }) => [stages, subjects])).toEqual([
    [1, 1],
    [1, 2],
    [1, 0],
  ])
  expect(valuesOf(first.root, 'P-1')).toMatchObject({ pulse: ['62'], q1: ['2'], q2: ['NA'], comment: [null] })
  expect(valuesOf(second.root, 'P-2')).toEqual({ pulse: ['80'] })
  expect(first.text).toContain('Name="S-A"')
  expect(unanswered).toBeString()
})
