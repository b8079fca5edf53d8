import { useEffect, useRef } from 'preact/hooks'

type Props = {
  /** What is shown; or the stream that holds it. */
  tracks?: readonly MediaStreamTrack[]
  stream?: MediaStream
  label: string
  /** One's own picture is mirrored, as in a looking-glass, and silent. */
  isOwn?: boolean
  volume?: number
  isHidden?: boolean
}

/** Moving pictures, with their sound. */
export function Picture({ tracks, stream, label, isOwn, volume = 1, isHidden }: Props) {
  const element = useRef<HTMLVideoElement>(null)
  const [first] = tracks ?? []
  useEffect(() => {
    const { current } = element
    if (!current) return
    current.srcObject = stream ?? new MediaStream(first ? [first] : [])
    current.muted = isOwn === true
    // A browser may refuse to begin by itself; then the person presses the picture.
    current.play().catch(() => {})
  }, [first, stream, isOwn])
  useEffect(() => {
    if (element.current) element.current.volume = volume
  }, [volume])
  return (
    // biome-ignore lint/a11y/useMediaCaption: what people say in a meeting has no captions.
    <video
      ref={element}
      class={`room-picture${isOwn ? ' own' : ''}${isHidden ? ' unseen' : ''}`}
      aria-label={label}
      autoPlay
      playsInline
      onClick={({ currentTarget }) => void currentTarget.play().catch(() => {})}
    />
  )
}
