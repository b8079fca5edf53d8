/** The limits of an answer, shown before the person answers (pure). */

import type { Translator } from './fillTexts'
import type { Settings } from './stage'
import type { ValueFormatter } from './valueFormatter'

type HintTranslator = Pick<Translator, 't'>

/** Several limits in one line, which begins with a capital letter. */
function joinLimits(...limits: readonly string[]): string {
  const line = limits.filter((limit) => limit !== '').join(' · ')
  return line.charAt(0).toUpperCase() + line.slice(1)
}

/** The limits of a question in one line; empty if it has no limits, or if the control shows them. */
export function hintOf(settings: Settings, { t }: HintTranslator, formatValue: ValueFormatter): string {
  const { min, max, step, minLength, multiple, minSelected, maxSelected, mimeTypes, maxSize, minRows, maxRows } =
    settings
  const range = (
    least: 'form.hint.atLeast' | 'form.hint.notBefore',
    most: 'form.hint.atMost' | 'form.hint.notAfter',
  ) => {
    if (min != null && max != null) return t('form.hint.between', { min: formatValue(min), max: formatValue(max) })
    if (min != null) return t(least, { min: formatValue(min) })
    return max != null ? t(most, { max: formatValue(max) }) : ''
  }
  switch (settings.format) {
    case 'integer':
    case 'float':
    case 'measurements':
      return joinLimits(
        range('form.hint.atLeast', 'form.hint.atMost'),
        step != null && !(step === 1 && settings.format === 'integer')
          ? t('form.hint.steps', { step: formatValue(step) })
          : '',
      )
    case 'date':
    case 'datetime':
    case 'time':
      return joinLimits(
        range('form.hint.notBefore', 'form.hint.notAfter'),
        settings.allowFuture === false ? t('form.hint.notFuture') : '',
        settings.allowPast === false ? t('form.hint.notPast') : '',
      )
    case 'table':
      // One entry is there as soon as anything is answered.
      if (minRows != null && minRows > 1)
        return maxRows == null
          ? t('form.hint.rowsLeast', { count: formatValue(minRows) })
          : t('form.hint.rows', { min: formatValue(minRows), max: formatValue(maxRows) })
      return maxRows == null ? '' : t('form.hint.rowsMost', { count: formatValue(maxRows) })
    case 'text':
    case 'paragraph':
      return minLength ? t('form.hint.letters', { count: formatValue(minLength) }) : ''
    case 'choice': {
      if (!multiple) return ''
      if (minSelected && maxSelected)
        return minSelected === maxSelected
          ? t('form.hint.exactly', { count: formatValue(minSelected) })
          : t('form.hint.choose', { min: formatValue(minSelected), max: formatValue(maxSelected) })
      if (minSelected) return t('form.hint.chooseLeast', { count: formatValue(minSelected) })
      return maxSelected ? t('form.hint.chooseMost', { count: formatValue(maxSelected) }) : t('form.hint.several')
    }
    case 'file':
    case 'image':
    case 'video': {
      const types = settings.format === 'file' ? typesText(mimeTypes ?? [], { t }) : ''
      return [
        ...(types ? [t('form.hint.types', { types })] : []),
        ...(maxSize ? [t('form.hint.size', { size: sizeText(maxSize, formatValue) })] : []),
      ].join(' ')
    }
    default:
      return ''
  }
}

/** Types whose own name says nothing to most people. */
const known: Readonly<Record<string, string>> = {
  'text/plain': 'TXT',
  'application/msword': 'Word',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': 'Word',
  'application/vnd.ms-excel': 'Excel',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': 'Excel',
}

const kinds = { image: 'form.kind.image', video: 'form.kind.video', audio: 'form.kind.audio' } as const

/** Types of files as people know them: `PDF, pictures` for `application/pdf` and all images. */
export function typesText(types: readonly string[], { t }: HintTranslator): string {
  const names = types.map((type) => {
    const [kind = '', own = ''] = type.split('/')
    if (own !== '*' && own !== '') return known[type] ?? (own.split(/[.+-]/).at(-1) ?? own).toUpperCase()
    return kind in kinds ? t(kinds[kind as keyof typeof kinds]) : kind
  })
  return [...new Set(names)].join(', ')
}

/** A size in bytes, in kilobytes or megabytes as people know them. */
export const sizeText = (bytes: number, formatValue: ValueFormatter): string =>
  bytes < 2 ** 20
    ? `${formatValue(Math.max(1, Math.round(bytes / 1024)))} kB`
    : `${formatValue(Math.round((bytes / 2 ** 20) * 10) / 10)} MB`
