import { useId } from 'preact/hooks'

type Props = {
  label: string
  /** From 0 to 1; undefined while it is not known. */
  share?: number | undefined
  /** How far it is, in words. */
  note?: string
}

/** How far something is. */
export function Progress({ label, share, note }: Props) {
  const id = useId()
  return (
    <div class="progress">
      <div class="progress-text">
        <label for={id}>{label}</label>
        {note && (
          <span class="note">
            <bdi>{note}</bdi>
          </span>
        )}
      </div>
      <progress id={id} max={1} value={share} />
    </div>
  )
}
