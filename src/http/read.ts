/**
 * The body as text; undefined where it is longer than `largest` bytes, of which no more is read then. Without a
 * Content-Length nothing is believed: the bytes are counted as they come.
 */
export async function readText(request: Request, largest: number): Promise<string | undefined> {
  const announced = request.headers.get('content-length')
  if (announced !== null) return Number(announced) > largest ? undefined : request.text()
  if (!request.body) return ''
  const decoder = new TextDecoder()
  let text = ''
  let size = 0
  for await (const chunk of request.body as unknown as AsyncIterable<Uint8Array>) {
    size += chunk.byteLength
    if (size > largest) return undefined
    text += decoder.decode(chunk, { stream: true })
  }
  return text + decoder.decode()
}
