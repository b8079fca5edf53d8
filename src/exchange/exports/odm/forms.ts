/** The forms of an export in ODM: the item groups of each stage, with the questions that the reader may see. */
import type { Component } from '#design/stages/components'
import type { StageRow } from '#design/stages/store'
import { type ExportContext, visibleFields } from '#exchange/exports/context'
import { exportFieldsOf, oncePerKey } from '#exchange/exports/datasets/identity'
import type { Id } from '#kernel/id'
import { type Question, questionOf } from './items'

/** An item group of a form: a heading with its fields, or one question with parts or rows. */
export type Group = { oid: string; name: string; heading: Component | undefined; questions: Question[] }

export type Form = { stage: StageRow; event: string; oid: string; isRepeating: boolean; groups: Group[] }

/**
 * The forms of the export.
 * @param fieldsOf the questions of each: without it, what the reader may see of some participant, asked now or earlier
 */
export function formsOf(
  from: ExportContext,
  fieldsOf: (from: ExportContext, stage: Id) => readonly Id[] = visibleFields,
): Form[] {
  const question = oncePerKey((field: Id) => {
    const [known] = exportFieldsOf(from.configuration, [field])
    return questionOf(known ?? { _id: field, code: field })
  })
  return from.stages.map((stage): Form => {
    const groups: Group[] = []
    const visible = new Set(fieldsOf(from, stage._id))
    const open = (heading: Component | undefined, questions: Question[]): Group => {
      const [first] = questions
      const oid = `IG.${stage._id}.${first?.isGroup ? first.field._id : groups.length + 1}`
      const group = { oid, name: first?.isGroup ? first.field.code : 'Ungrouped', heading, questions }
      groups.push(group)
      return group
    }
    let current: Group | undefined
    const take = (field: Id) => {
      if (!visible.delete(field)) return
      const asked = question(field)
      if (asked.isGroup) {
        open(undefined, [asked])
        current = undefined
      } else {
        current ??= open(undefined, [])
        current.questions.push(asked)
      }
    }
    for (const component of stage.components) {
      if (component.dataType) take(component.dataType)
      else if (component.type !== 'scheduledNotification') current = open(component, [])
    }
    // Those that the stage asked earlier.
    current = undefined
    for (const field of [...visible]) take(field)
    const isRepeating = stage.isRecurring || stage.adHoc
    return { stage, event: `SE.${stage._id}`, oid: `F.${stage._id}`, isRepeating, groups }
  })
}
