const FORBIDDEN = /[\\/:*?"<>|\p{Cc}\p{Cs}]/gu

/** A file name without characters that no file name may have, of at most 120. */
export const safeName = (name: string): string => [...name.replace(FORBIDDEN, '-')].slice(0, 120).join('')
