/** What an answer must keep to, said before it is given (pure). */
import type { en } from '#web/app/lang/en'
import type { Common, Speaker } from '#web/common/texts'
import type { Settings } from './stage'
import type { Written } from './written'

type Says = Pick<Speaker<Common & typeof en>, 'say'>

/** The limits of a question in one line; empty if there are none to say, or the control shows them. */
export function hintOf(settings: Settings, { say }: Says, written: Written): string {
  const { min, max, minLength, multiple, minSelected, maxSelected, mimeTypes, maxSize } = settings
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
      return range('form.hint.atLeast', 'form.hint.atMost')
    case 'date':
    case 'datetime':
    case 'time':
      return range('form.hint.notBefore', 'form.hint.notAfter')
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
      const types = (settings.format === 'file' ? (mimeTypes ?? []) : []).map(typeName)
      return [
        ...(types.length ? [say('form.hint.types', { types: types.join(', ') })] : []),
        ...(maxSize ? [say('form.hint.size', { size: sizeText(maxSize, written) })] : []),
      ].join(' ')
    }
    default:
      return ''
  }
}

/** A type of files as people know it: `PDF` for `application/pdf`. */
const typeName = (type: string): string => {
  const [kind = '', own = ''] = type.split('/')
  return own === '*' || own === '' ? kind : (own.split(/[.+-]/).at(-1) ?? own).toUpperCase()
}

/** A size in bytes, in kilobytes or megabytes as people know them. */
export const sizeText = (bytes: number, written: Written): string =>
  bytes < 2 ** 20
    ? `${written(Math.max(1, Math.round(bytes / 1024)))} kB`
    : `${written(Math.round((bytes / 2 ** 20) * 10) / 10)} MB`
