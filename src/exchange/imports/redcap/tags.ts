/** Reads REDCap's field annotations: action tags, and the notes of our exports. */
import type { ExtraProperties } from '#exchange/imports/common/draft'
import { extraFrom } from '#exchange/imports/common/extras'

/** The note of one of our exports, at the end of an annotation. */
const OWN_TAG = '@TRIALBOX='
/** Action tags that become settings, and that an export writes again. */
const KNOWN_TAGS =
  /@(?:NONEOFTHEABOVE|MAXCHECKED|CHARLIMIT)\b\s*=\s*(?:'[^']*'|"[^"]*"|[\w-]+)|@(?:FORCE-MINMAX|HIDDEN-SURVEY)(?![\w-])/gi
/** Fields that REDCap shows to nobody, or not to participants. */
const HIDDEN = /@HIDDEN(?:-SURVEY)?(?![\w-])/i

/** The place after the bracket that closes the one at `from`; the end of the text if none does. */
function endOfBrackets(text: string, from: number): number {
  let depth = 0
  const token = /"[^"]*"|'[^']*'|[()]/g
  token.lastIndex = from
  for (let found = token.exec(text); found; found = token.exec(text)) {
    if (found[0] === '(') depth++
    else if (found[0] === ')' && --depth === 0) return token.lastIndex
  }
  return text.length
}

/** An action tag with brackets: its name, what stands in them, and all of it. */
type BracketTag = { name: string; content: string; whole: string }

/** The text without the action tags of these names that have brackets, and these tags. */
function withoutTags(text: string, names: string): { left: string; taken: BracketTag[] } {
  const taken: BracketTag[] = []
  const tag = new RegExp(`@(${names})\\s*\\(`, 'gi')
  let [left, from] = ['', 0]
  for (let found = tag.exec(text); found; found = tag.exec(text)) {
    const end = endOfBrackets(text, tag.lastIndex - 1)
    const content = text.slice(tag.lastIndex, end).replace(/\)$/, '').trim()
    taken.push({ name: found[1]!.toUpperCase(), content, whole: text.slice(found.index, end) })
    left += text.slice(from, found.index)
    from = tag.lastIndex = end
  }
  return { left: left + text.slice(from), taken }
}

/** Whether an annotation hides its field always. What @IF hides at times is asked. */
export const hidesField = (annotation: string): boolean => HIDDEN.test(withoutTags(annotation, 'IF').left)

/**
 * The parts of an annotation: `rest` is for the study team, without the action tags that become settings; `computed` is the
 * expression of an action tag that computes the field; `extra` is the note of one of our exports; `tags` are the action
 * tags that have no effect here.
 */
export function annotationOf(text: string) {
  let [own, extra] = [text, undefined as ExtraProperties | undefined]
  for (let at = text.indexOf(OWN_TAG); at >= 0 && !extra; at = text.indexOf(OWN_TAG, at + 1)) {
    extra = extraFrom(text.slice(at + OWN_TAG.length))
    if (extra) own = text.slice(0, at)
  }
  const { left: always, taken: conditional } = withoutTags(own, 'IF')
  const { left, taken } = withoutTags(always, 'CALCTEXT|CALCDATE')
  const [calculation] = taken
  const named = left.replace(KNOWN_TAGS, '').match(/@[A-Z][A-Z0-9_-]*/g) ?? []
  return {
    extra,
    rest: taken
      .reduce((rest, { whole }) => rest.replace(whole, ''), own)
      .replace(KNOWN_TAGS, '')
      .trim(),
    tags: [...new Set([...(conditional.length ? ['@IF'] : []), ...named])].filter((tag) => tag !== '@HIDDEN'),
    // @CALCDATE has the arguments of a function.
    computed: calculation?.name === 'CALCDATE' ? `calcdate(${calculation.content})` : calculation?.content,
    isHidden: hidesField(own),
  }
}
