/** Rows that lead to a page or do something, one below the other in a card. */
import type { ComponentChildren } from 'preact'
import { Glyph, type GlyphName } from './glyph'

type Row = {
  icon: GlyphName
  label: string
  note?: string | undefined
  /** Where it leads within the app; or what it does. */
  path?: string
  onPress?: () => void
}

export const Rows = ({ label, children }: { label: string; children: ComponentChildren }) => (
  <ul class="rows" aria-label={label}>
    {children}
  </ul>
)

export function Row({ icon, label, note, path, onPress }: Row) {
  const content = (
    <>
      <span class="row-icon">
        <Glyph name={icon} />
      </span>
      <span class="row-text">
        <span class="row-title">
          <bdi>{label}</bdi>
        </span>
        {note && (
          <span class="note">
            <bdi>{note}</bdi>
          </span>
        )}
      </span>
      <Glyph name="next" isMirrored />
    </>
  )
  return (
    <li>
      {path === undefined ? (
        <button type="button" onClick={onPress}>
          {content}
        </button>
      ) : (
        <a href={`/app/${path}`}>{content}</a>
      )}
    </li>
  )
}
