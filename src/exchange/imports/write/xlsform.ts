/** Writes a plan as an XLSForm workbook. */
import type { ImportPlan } from '#design/stages/importPlan'
import { extrasOf, type PlanExtras, typesOf } from '#exchange/imports/common/extras'
import { planOf } from '#exchange/imports/common/languages'
import { draftFromXlsform } from '#exchange/imports/xlsform/read'
import { unique } from './answers'
import { namesOf } from './names'
import type { PlanFile } from './planFile'
import { extraCells, translated, validText } from './xlsformCells'
import { choiceLists, choiceNamesByCode } from './xlsformChoices'
import { type Form, rowsOf } from './xlsformRows'
import { type Row, type Sheets, workbookOf } from './xlsformSheets'
import { xpath } from './xpath'

/** Names that an XLSForm has for itself: of its metadata, and of the form. */
const RESERVED = ['meta', 'data']

/** The sheets of a plan. @param extras the notes; absent for the export that is read again to find them */
function sheetsFor(plan: ImportPlan, extras?: PlanExtras): Sheets {
  const freeName = unique((wanted) => wanted.replace(/[^A-Za-z0-9_]/g, '_').replace(/^(?![A-Za-z_])/, '_'))
  for (const reserved of RESERVED) freeName(reserved)
  const choices: Row[] = []
  const form: Form = { types: typesOf(plan), lists: choiceLists(choices), freeName }
  return { survey: surveyOf(form, plan, extras), choices, settings: settingsOf(plan, extras) }
}

/** A single stage is the whole form; several are groups of it. */
const isWholeForm = ({ stages: [first, second] }: ImportPlan): boolean => !second && !!first?.components.length

function surveyOf(form: Form, plan: ImportPlan, extras?: PlanExtras): Row[] {
  const names = namesOf(plan, form.types, form.freeName)
  const choiceNames = new Map(
    plan.stages.flatMap(({ components }, n) =>
      components.map((component, m) => [names.of(n, m)[0]!, choiceNamesByCode(component, form.types)] as const),
    ),
  )
  return plan.stages.flatMap((stage, n) => {
    const dialect = xpath(names.within(n), (question, code) => choiceNames.get(question)?.get(code) ?? code)
    const group = isWholeForm(plan)
      ? ''
      : form.freeName(`form_${stage.name.replace(/[^A-Za-z0-9]+/g, '_').slice(0, 60)}`)
    const rows = stage.components.flatMap((component, m) => {
      const [first, ...rest] = rowsOf(form, component, names.of(n, m), dialect)
      return [{ ...first, ...extraCells(extras?.components[n]?.[m]) }, ...rest]
    })
    if (!group) return rows
    const label = { label: validText(stage.name), ...translated('label', stage, 'name') }
    const begin = { type: 'begin group', name: group, ...label, ...extraCells({ stage: extras?.stages[n] ?? {} }) }
    return [begin, ...rows, { type: 'end group', name: group }]
  })
}

function settingsOf(plan: ImportPlan, extras?: PlanExtras): Row {
  const isWhole = isWholeForm(plan)
  const title = isWhole ? plan.stages[0]!.name : 'Study'
  return {
    form_title: validText(title),
    form_id: title.toLowerCase().replace(/[^a-z0-9]+/g, '_'),
    ...(isWhole && extras?.stages[0] ? extraCells({ stage: extras.stages[0] }) : {}),
  }
}

/** The size limit for reading our own export, in bytes. */
const UNLIMITED = 1 << 30

/**
 * Writes the workbook. Several stages are groups at the top level. What XLSForm cannot hold is in the columns
 * `trialbox`, which other tools ignore.
 */
export function writeXlsform(plan: ImportPlan): PlanFile {
  // Without stages there are no rows, which no reader takes for a form.
  const found = plan.stages.length ? planOf(draftFromXlsform(workbookOf(sheetsFor(plan)), UNLIMITED), true) : plan
  const extras = extrasOf(plan, found, false)
  return { content: workbookOf(sheetsFor(plan, extras)), extras }
}
