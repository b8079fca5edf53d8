import { describe, expect, test } from 'bun:test'
import { readdirSync } from 'node:fs'
import fc from 'fast-check'
import { codeProblem, settingsProblems } from '#design/dataTypes/rules'
import { questionnaires } from '#design/questionnaires/questionnaires'
import { componentsProblems } from '#design/stages/componentChecks'
import type { FieldType } from '#design/stages/references'
import { runs } from '../../proof'
import { examples } from './questionnaires.examples'
import { check, fill, fromFile } from './questionnaires.fill'

const every = [...questionnaires.values()]
const ids = every.map(({ id }) => id)

describe('the files', () => {
  test('are all in the list, each under its id and with worked examples', () => {
    const files = readdirSync('data/questionnaires').filter((file) => file.endsWith('.json'))
    expect(files.map((file) => file.replace('.json', '')).sort()).toEqual([...ids].sort())
    expect(new Set(ids).size).toBe(ids.length)
    expect(Object.keys(examples).sort()).toEqual([...ids].sort())
    expect(every.filter(({ source }) => !source.startsWith('Items follow')).length).toBeGreaterThanOrEqual(25)
  })

  test('name their source and terms', () => {
    for (const { source, licence } of every) {
      expect(source.length).toBeGreaterThan(20)
      expect(licence).toMatch(/free|public|permission|licen[cs]e/i)
    }
  })

  test('have codes that are unique among all files', () => {
    const codes = every.flatMap(({ dataTypes }) => dataTypes.map(({ code }) => code))
    expect(codes.filter((code, index) => codes.indexOf(code) !== index)).toEqual([])
  })

  test.each(ids)('%s is valid', (id) => {
    const { dataTypes, stage, scores, stageScore, interpretation } = questionnaires.get(id)!
    for (const dataType of dataTypes) {
      expect({ [dataType.code]: settingsProblems(dataType as FieldType) }).toEqual({ [dataType.code]: {} })
      expect(codeProblem(dataType.code)).toBeUndefined()
    }
    const types = new Map(dataTypes.map((each) => [each.code, each as FieldType]))
    expect(componentsProblems(stage.components, types)).toEqual([])
    // Every data type is asked or computed, and nothing that is computed is required.
    expect(stage.components.flatMap(({ dataType }) => dataType ?? []).sort()).toEqual([...types.keys()].sort())
    for (const { dataType, isRequired } of stage.components) {
      if (types.get(dataType ?? '')?.format === 'calculation') expect(isRequired).toBeUndefined()
    }
    for (const { code } of scores) expect(types.get(code)?.format).toBe('calculation')
    expect(stage.components.some(({ scoringRules }) => scoringRules?.length)).toBe(stageScore !== null)
    if (stageScore !== null) expect(scores[0]!.code).toBe(stageScore)
    const ends = new Map<string, number>()
    for (const { score, from, to } of interpretation) {
      const { min, max } = scores.find(({ code }) => code === score)!
      expect(from).toBeGreaterThanOrEqual(min!)
      expect(to).toBeLessThanOrEqual(max!)
      expect(to).toBeGreaterThanOrEqual(from)
      expect(from).toBeGreaterThan(ends.get(score) ?? Number.NEGATIVE_INFINITY)
      ends.set(score, to)
    }
  })

  test.each(ids)('%s scores as published', (id) => {
    const { form, types } = fromFile(questionnaires.get(id)!)
    for (const example of examples[id]!) check(form, types, example)
  })
})

/** Any answer that a data type accepts; undefined for a calculation. */
function anyAnswer(asked: FieldType): fc.Arbitrary<unknown> | undefined {
  switch (asked.format) {
    case 'likert':
      return fc.record(
        Object.fromEntries(
          asked.statements!.map(({ key }) => [key, fc.constantFrom(...asked.scale!.map(({ value }) => value))]),
        ),
      )
    case 'choice':
      return fc.constantFrom(...asked.options!.map(({ label }) => [label]))
    case 'slider':
    case 'integer':
      return fc.integer({ min: asked.min as number, max: asked.max as number })
    case 'date':
      return fc.constant('2026-03-01T00:00:00Z')
    case 'calculation':
      return undefined
    default:
      return fc.constant('Something')
  }
}

test.each(every.filter(({ stageScore }) => stageScore !== null).map(({ id }) => id))(
  'the score of %s equals the given calculation, and is within its bounds, for any answers',
  (id) => {
    const { stageScore, scores, dataTypes } = questionnaires.get(id)!
    const { form, types } = fromFile(questionnaires.get(id)!)
    const answers = dataTypes.flatMap((each) => {
      const answer = anyAnswer(each as FieldType)
      return answer ? [[each.code, answer] as const] : []
    })
    fc.assert(
      fc.property(fc.record(Object.fromEntries(answers)), (sent) => {
        const { score, value } = fill(form, types, sent)
        expect(score).toBe(value(stageScore!) as number)
        for (const { code, min, max } of scores) {
          const result = value(code) as number
          if (min !== null) expect(result).toBeGreaterThanOrEqual(min)
          if (max !== null) expect(result).toBeLessThanOrEqual(max)
        }
      }),
      { numRuns: runs(30) },
    )
  },
)
