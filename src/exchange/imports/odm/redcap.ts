/**
 * Reads the ODM files of REDCap. Their attributes hold the columns of the data dictionary, so that both are read by the
 * same rules.
 */

import type { Warning } from '#design/stages/importPlan'
import { titleFromName } from '#documents/texts'
import { attribute, children, textIn, type Xml } from '#documents/xml'
import type { DraftStage } from '#exchange/imports/common/draft'
import { blankRow, type RedcapRow } from '#exchange/imports/redcap/columns'
import { draftFromRows } from '#exchange/imports/redcap/read'
import { type Definitions, optionsOf } from './item'
import { markMissing } from './missing'

export const isRedcapOdm = (text: string): boolean =>
  /xmlns:redcap\s*=/.test(text.slice(0, 5_000)) && text.includes('redcap:FieldType')

function rowOf(item: Xml, form: string, definitions: Definitions): RedcapRow {
  const own = (name: string) => attribute(item, `redcap:${name}`)
  const list = definitions.codeLists.get(attribute(children(item, 'CodeListRef')[0] ?? {}, 'CodeListOID'))
  const choices =
    list &&
    (attribute(list, 'redcap:CheckboxChoices') ||
      optionsOf(list, definitions)
        .map(({ code, label }) => `${code}, ${label}`)
        .join(' | '))
  const type = own('FieldType') === 'select' ? 'dropdown' : own('FieldType')
  const bound = (comparator: string) => {
    const check = children(item, 'RangeCheck').find((each) => attribute(each, 'Comparator') === comparator)
    return textIn(children(check ?? {}, 'CheckValue')[0])
  }
  return {
    ...blankRow,
    field_name: own('Variable') || attribute(item, 'OID'),
    form_name: form,
    section_header: own('SectionHeader'),
    field_type: type,
    field_label: definitions.text(item, 'Question') || attribute(item, 'Name'),
    select_choices_or_calculations:
      type === 'calc' ? own('Calculation') : type === 'slider' ? own('SliderLabels') : (choices ?? ''),
    field_note: own('FieldNote'),
    text_validation_type_or_show_slider_number:
      own('TextValidationType') === 'int' ? 'integer' : own('TextValidationType').replace(/^float$/, 'number'),
    text_validation_min: bound('GE'),
    text_validation_max: bound('LE'),
    identifier: own('Identifier'),
    branching_logic: own('BranchingLogic'),
    required_field: own('RequiredField'),
    custom_alignment: '',
    matrix_group_name: own('MatrixGroupName'),
    matrix_ranking: own('MatrixRanking'),
    field_annotation: own('FieldAnnotation'),
  }
}

/** The forms by OID, without the field in which REDCap stores whether a form is complete. */
export function redcapForms(
  forms: ReadonlyMap<string, Xml>,
  definitions: Definitions,
  warnings: Warning[],
  missing: ReadonlySet<string>,
): Map<string, DraftStage> {
  const stages = new Map<string, DraftStage>()
  for (const [oid, form] of forms) {
    const own = attribute(form, 'redcap:FormName') || oid
    const rows = new Map<string, RedcapRow>()
    for (const group of children(form, 'ItemGroupRef')) {
      const items = children(definitions.groups.get(attribute(group, 'ItemGroupOID')) ?? {}, 'ItemRef')
      for (const reference of items) {
        const item = definitions.items.get(attribute(reference, 'ItemOID'))
        if (!item) continue
        const row = rowOf(item, own, definitions)
        if (row.field_name !== `${own}_complete` && !rows.has(row.field_name)) rows.set(row.field_name, row)
      }
    }
    const [stage] = draftFromRows([...rows.values()], warnings).stages
    const name = attribute(form, 'Name') || titleFromName(own)
    stages.set(oid, { ...(stage ?? { items: [] }), source: own, name })
  }
  markMissing(stages.values(), missing, warnings)
  return stages
}
