/* Packed numbers back to codes: base64, inflated; high bytes, then low bytes; each code a difference to the one before. */
async function inflate(text) {
  const binary = atob(text);
  const packed = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; i++) packed[i] = binary.charCodeAt(i);
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

async function decode(id) {
  const element = document.getElementById(id);
  const bytes = await inflate(element.textContent);
  const count = bytes.length / 2;
  const codes = new Uint16Array(count);
  let code = 0;
  for (let i = 0; i < count; i++) {
    code = (code + bytes[i] * 256 + bytes[count + i]) & 65535;
    codes[i] = code;
  }
  element.remove(); /* the text is not needed again */
  return codes;
}
