/** What an answer must keep to, said before it is given (pure). */
import type { en } from '#web/app/lang/en'
import type { Common, Speaker } from '#web/common/texts'
import type { Settings } from './stage'
import type { Written } from './written'

type Says = Pick<Speaker<Common & typeof en>, 'say'>

/** Several limits in one line, which begins with a capital letter. */
function together(...limits: readonly string[]): string {
  const line = limits.filter((limit) => limit !== '').join(' · ')
  return line.charAt(0).toUpperCase() + line.slice(1)
}

/** The limits of a question in one line; empty if there are none to say, or the control shows them. */
export function hintOf(settings: Settings, { say }: Says, written: Written): string {
  const { min, max, step, minLength, multiple, minSelected, maxSelected, mimeTypes, maxSize, minRows, maxRows } =
    settings
  const range = (
    least: 'form.hint.atLeast' | 'form.hint.notBefore',
    most: 'form.hint.atMost' | 'form.hint.notAfter',
  ) => {
    if (min != null && max != null) return say('form.hint.between', { min: written(min), max: written(max) })
    if (min != null) return say(least, { min: written(min) })
    return max != null ? say(most, { max: written(max) }) : ''
  }
  switch (settings.format) {
    case 'integer':
    case 'float':
    case 'measurements':
      return together(
        range('form.hint.atLeast', 'form.hint.atMost'),
        step != null && !(step === 1 && settings.format === 'integer')
          ? say('form.hint.steps', { step: written(step) })
          : '',
      )
    case 'date':
    case 'datetime':
    case 'time':
      return together(
        range('form.hint.notBefore', 'form.hint.notAfter'),
        settings.allowFuture === false ? say('form.hint.notFuture') : '',
        settings.allowPast === false ? say('form.hint.notPast') : '',
      )
    case 'table':
      // One entry is there as soon as anything is answered.
      if (minRows != null && minRows > 1)
        return maxRows == null
          ? say('form.hint.rowsLeast', { count: written(minRows) })
          : say('form.hint.rows', { min: written(minRows), max: written(maxRows) })
      return maxRows == null ? '' : say('form.hint.rowsMost', { count: written(maxRows) })
    case 'text':
    case 'paragraph':
      return minLength ? say('form.hint.letters', { count: written(minLength) }) : ''
    case 'choice': {
      if (!multiple) return ''
      if (minSelected && maxSelected)
        return minSelected === maxSelected
          ? say('form.hint.exactly', { count: written(minSelected) })
          : say('form.hint.choose', { min: written(minSelected), max: written(maxSelected) })
      if (minSelected) return say('form.hint.chooseLeast', { count: written(minSelected) })
      return maxSelected ? say('form.hint.chooseMost', { count: written(maxSelected) }) : say('form.hint.several')
    }
    case 'file':
    case 'image':
    case 'video': {
      const types = settings.format === 'file' ? typesText(mimeTypes ?? [], { say }) : ''
      return [
        ...(types ? [say('form.hint.types', { types })] : []),
        ...(maxSize ? [say('form.hint.size', { size: sizeText(maxSize, written) })] : []),
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
export function typesText(types: readonly string[], { say }: Says): string {
  const names = types.map((type) => {
    const [kind = '', own = ''] = type.split('/')
    if (own !== '*' && own !== '') return known[type] ?? (own.split(/[.+-]/).at(-1) ?? own).toUpperCase()
    return kind in kinds ? say(kinds[kind as keyof typeof kinds]) : kind
  })
  return [...new Set(names)].join(', ')
}

/** A size in bytes, in kilobytes or megabytes as people know them. */
export const sizeText = (bytes: number, written: Written): string =>
  bytes < 2 ** 20
    ? `${written(Math.max(1, Math.round(bytes / 1024)))} kB`
    : `${written(Math.round((bytes / 2 ** 20) * 10) / 10)} MB`
