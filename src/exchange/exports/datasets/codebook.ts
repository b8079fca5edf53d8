/** What the variables of datasets mean: one row for each variable of each dataset. */
import type { Dataset, ValueLabel, Variable } from '#writers/dataset'
import { numberVariable, textVariable } from './identity'

const variables: readonly Variable[] = [
  textVariable('dataset', 'Dataset'),
  numberVariable('order', 'Place in the dataset, from 1'),
  textVariable('variable', 'Variable'),
  textVariable('label', 'Label'),
  textVariable('kind', 'Kind', [
    { value: 'text', label: 'Text' },
    { value: 'number', label: 'Number' },
    { value: 'day', label: 'Date' },
    { value: 'moment', label: 'Date and time in UTC' },
    { value: 'time', label: 'Time of day' },
  ]),
  textVariable('measure', 'Measure', [
    { value: 'nominal', label: 'Names without an order' },
    { value: 'ordinal', label: 'Names with an order' },
    { value: 'scale', label: 'Numbers' },
  ]),
  numberVariable('decimals', 'Digits after the point'),
  textVariable('unit', 'Unit'),
  textVariable('codes', 'Codes with their labels, a line for each'),
  textVariable('missing', 'Codes that say why there is no answer'),
  textVariable('isRestricted', 'Restricted'),
  textVariable('isPersonal', 'Personal information'),
]

const lines = (values: readonly ValueLabel[]): string | null =>
  values.map(({ value, label }) => `${value} = ${label}`).join('\n') || null

/** The codebook of these datasets. Their rows are not read. */
export const codebookOf = (datasets: readonly Dataset[]): Dataset => ({
  name: 'Codebook',
  label: 'What the variables mean',
  variables,
  rows: datasets.flatMap(({ name: dataset, variables }) =>
    variables.map(({ name, label, kind, measure, decimals, unit, values = [], isRestricted, isPersonal }, place) => [
      ...[dataset, place + 1, name, label, kind, measure, decimals, unit],
      ...[lines(values.filter(({ isMissing }) => !isMissing)), lines(values.filter(({ isMissing }) => isMissing))],
      ...[isRestricted === true, isPersonal === true],
    ]),
  ),
})
