/** An export as ODM becomes the same stages and fields again when it is imported (docs/odm.md, "Import"). */
import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { insertDataType } from '#design/dataTypes/store'
import type { ImportPlan } from '#design/stages/importPlan'
import { insertStage, type StageRow, stageDefaults } from '#design/stages/store'
import { readPlan } from '#exchange/imports/read'
import { newId } from '#kernel/id'
import { type World, world } from '../../harness'
import { bare, plans } from '../imports/plans'
import { study } from './exportStudy'
import { odmOf } from './odmFile'
import { expectStructure } from './odmStructure'

const versions = ['1.3.2', '2.0'] as const

/** A trial with the stages and data types of a plan. */
function trialOf(here: World, { stages, dataTypes }: ImportPlan) {
  const { trial } = study(here)
  const ids = new Map(dataTypes.map(({ code }) => [code.toLowerCase(), newId(0)]))
  const idOf = (code: string) => ids.get(code) ?? ''
  for (const type of dataTypes)
    insertDataType(here.db, {
      ...{ annotation: null, description: null, unit: null, isPii: false, isRestricted: false },
      ...type,
      ...{ _id: idOf(type.code.toLowerCase()), trial, createdAt: 0 },
    } as Parameters<typeof insertDataType>[1])
  for (const [index, { components, ...settings }] of stages.entries())
    insertStage(here.db, {
      ...stageDefaults,
      ...settings,
      ...{ _id: newId(0), trial, createdAt: 0, index },
      components: components.map(({ dataType, condition, ...rest }, n) => ({
        ...rest,
        id: `c${n}`,
        ...(dataType ? { dataType: idOf(dataType) } : {}),
        ...(condition ? { condition: { ...condition, dataType: idOf(condition.dataType) } } : {}),
      })),
    } as StageRow)
  return trial
}

async function imported(here: World, by: World['owner'], trial: string, version: (typeof versions)[number]) {
  const url = `/trials/${trial}/responses?type=odm&odmVersion=${version}` as const
  const { text } = await odmOf(here, by, url)
  expectStructure(text, version)
  return readPlan('odm', new TextEncoder().encode(text))
}

test.each(versions)('any study is the same after an export as ODM %s and an import', async (version) => {
  const here = world()
  await fc.assert(
    fc.asyncProperty(plans, async (plan) => {
      fc.pre(plan.stages.some(({ components }) => components.length))
      expect(bare(await imported(here, here.owner, trialOf(here, plan), version))).toEqual(bare(plan))
    }),
    { numRuns: 12, includeErrorInReport: true, endOnFailure: true },
  )
})

const conditional: ImportPlan = {
  dataTypes: [
    { name: 'Age', code: 'age', format: 'integer', unit: 'a', min: 0, max: 120 },
    {
      name: 'Sekret',
      code: 'sekret',
      format: 'choice',
      isRestricted: true,
      options: [{ label: 'Yes' }, { label: 'No' }],
    },
    { name: 'Double', code: 'double', format: 'calculation', expression: 'age * 2' },
    { name: 'Risk', code: 'risk', format: 'calculation', expression: 'coalesce(sekret == "Yes", false) + age' },
    { name: 'Why', code: 'why', format: 'text' },
    { name: 'More', code: 'more', format: 'text' },
  ],
  stages: [
    {
      name: 'Visit',
      isRecurring: true,
      components: [
        { id: '1', dataType: 'age', title: 'Age' },
        { id: '2', dataType: 'sekret', title: 'Sekret' },
        { id: '3', dataType: 'double', title: 'Double' },
        { id: '4', dataType: 'risk', title: 'Risk' },
        { id: '5', dataType: 'why', title: 'Why', condition: { dataType: 'age', operator: 'more', value: 17 } },
        {
          ...{ id: '6', dataType: 'more', title: 'More' },
          condition: { dataType: 'sekret', operator: 'equal', value: 'Yes' },
          constraint: { expression: 'sekret != "No"' },
        },
      ],
    },
  ],
  warnings: [],
}

test.each(versions)(
  '%s: what names a hidden field is not in the file, and so not in what is imported',
  async (version) => {
    const here = world()
    const trial = trialOf(here, conditional)
    expect(bare(await imported(here, here.owner, trial, version))).toEqual(bare(conditional))
    const permissions = ['trial.readParticipantStudyData', 'trial.exportData'] as const
    const reader = here.staff(trial, [...permissions, 'trial.read'])
    const url = `/trials/${trial}/responses?type=odm&odmVersion=${version}` as const
    const { text } = await odmOf(here, reader, url)
    expect(text.match(/.{0,80}sekret.{0,60}/gi)).toBeNull()
    expect(text).toContain('trialbox:extra')
    // How a stage is set up is shown to those only who may read stages.
    expect((await odmOf(here, here.staff(trial, [...permissions]), url)).text).not.toContain('trialbox:extra')
    const plan = await imported(here, reader, trial, version)
    const asked = plan.stages[0]?.components ?? []
    expect(asked.map(({ dataType }) => dataType)).toEqual(['age', 'double', 'why', 'more'])
    expect(asked[2]?.condition).toEqual({ dataType: 'age', operator: 'more', value: 17 })
    expect(asked[3]).not.toHaveProperty('condition')
    expect(asked[3]).not.toHaveProperty('constraint')
    const types = new Map(plan.dataTypes.map((type) => [type.code, type]))
    expect(types.get('double')).toMatchObject({ format: 'calculation', expression: 'age * 2' })
    // What is computed from a hidden field is hidden itself.
    expect(types.has('risk')).toBe(false)
  },
)
