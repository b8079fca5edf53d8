/** What ODM cannot hold of stages and fields, as notes from which an import of the file makes the same again (pure). */
import { compileExpression } from '#design/dataTypes/expressions'
import type { Component } from '#design/stages/components'
import { plannedComponent, plannedSettings, plannedType } from '#design/stages/plannedStages'
import type { StageRow } from '#design/stages/store'
import type { ExportContext } from '#exchange/exports/context'
import type { Id } from '#kernel/id'
import { aliasElement, asciiJson } from './elements'

/** Fields that an import may find in the file: null where the field or stage has none. */
const ABSENT = {
  stage: { description: null, adHoc: null, waits: null },
  component: { description: null, isRequired: null, isHidden: null, condition: null, constraint: null },
  type: {
    ...{ min: null, max: null, maxLength: null, decimals: null, unit: null, options: null, multiple: null },
    ...{ scale: null, statements: null, allowNotApplicable: null, columns: null, expression: null, annotation: null },
  },
} as const

/**
 * Returns what says whether an expression names a field that the reader may not see. One that cannot be read might.
 */
export function hiddenFieldTest({ configuration, hiddenEverywhere }: ExportContext): (expression: string) => boolean {
  const hidden = new Set(
    [...configuration.dataTypes.values()].flatMap(({ _id, code }) =>
      hiddenEverywhere(_id) ? [code.toLowerCase()] : [],
    ),
  )
  return (expression) => {
    if (!hidden.size) return false
    const compiled = compileExpression(expression)
    return 'problem' in compiled || compiled.references.some((code) => hidden.has(code.toLowerCase()))
  }
}

/** Makes the notes of an export, for readers who may read the stages. A data type is described at its first occurrence. */
export function notesOf(from: ExportContext) {
  const { configuration, hiddenEverywhere, readsConfiguration } = from
  const isConcealed = hiddenFieldTest(from)
  const described = new Set<Id>()

  function typeNote(dataType: Id): object | undefined {
    const row = configuration.dataTypes.get(dataType)
    if (!row || described.has(dataType) || (row.expression && isConcealed(row.expression))) return undefined
    described.add(dataType)
    return { ...ABSENT.type, ...plannedType(row) }
  }

  function componentNote(component: Component): object {
    const { condition, constraint } = component
    const isKnown =
      condition && configuration.dataTypes.has(condition.dataType) && !hiddenEverywhere(condition.dataType)
    const shown = {
      ...component,
      condition: isKnown ? condition : null,
      constraint: constraint && !isConcealed(constraint.expression) ? constraint : null,
    }
    const key = (_id: string) => (configuration.dataTypes.get(_id)?.code ?? _id).toLowerCase()
    const { id: _, dataType: __, ...planned } = plannedComponent(shown, key)
    return { ...ABSENT.component, ...planned }
  }

  return {
    stage: (stage: StageRow): string[] =>
      readsConfiguration
        ? [aliasElement('extra', asciiJson({ stage: { ...ABSENT.stage, ...plannedSettings(stage) } }))]
        : [],
    /** The note of a field or heading. A field that the stage no longer asks is marked as not belonging to it. */
    component(component: Component | undefined, context = 'extra'): string[] {
      if (!component) return [aliasElement(context, asciiJson({ none: true }))]
      if (!readsConfiguration) return []
      const type = component.dataType ? typeNote(component.dataType) : undefined
      return [aliasElement(context, asciiJson({ component: componentNote(component), ...(type ? { type } : {}) }))]
    },
  }
}
