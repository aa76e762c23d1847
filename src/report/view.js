/* An image as it is looked at: which part, plane, slice and volume, through which window; and its pixels on a canvas. */

/* Planes: the image's axes to the right and downwards, and the one that is paged through. x y is shown with y
 * downwards, as it is stored; the others with z upwards. */
const planes = [
  { name: "x y", right: 0, down: 1, through: 2, up: false },
  { name: "x z", right: 0, down: 2, through: 1, up: true },
  { name: "y z", right: 1, down: 2, through: 0, up: true },
];

class View {
  constructor(image) {
    this.image = image;
    this.parts = image.parts.slice();
    if (image.parts.length === 2) this.addCartesianParts();
    this.plane = planes[0];
    this.place = image.n.map((n) => n >> 1); /* a pixel of each axis; the third is the slice, the fourth the volume */
    this.place[3] = 0;
    this.montage = false;
    this.choosePart(0);
  }

  /* Real and imaginary part are computed from magnitude and phase. */
  addCartesianParts() {
    const top = this.image.parts[0].window[1];
    for (const name of ["real", "imaginary"])
      this.parts.push({ name, colours: "grey", window: [-top, top], low: -this.image.parts[0].high, high: this.image.parts[0].high });
  }

  choosePart(index) {
    this.partIndex = index;
    this.part = this.parts[index];
    this.part.shown = this.part.shown || this.part.window.slice();
    this.part.table = this.part.table || this.part.colours;
  }

  get low() { return this.part.shown[0]; }
  get high() { return this.part.shown[1]; }

  setWindow(low, high) {
    const least = 1e-6 * (this.part.high - this.part.low) || 1e-12;
    const whole = (value) => (Math.abs(value) < 1e-9 * Math.abs(high - low) ? 0 : value); /* rounding is not to be read */
    this.part.shown = [whole(low), Math.max(whole(high), low + least)];
  }

  automatic() { this.part.shown = this.part.window.slice(); }

  get slices() { return this.image.n[this.plane.through]; }
  get slice() { return this.place[this.plane.through]; }
  set slice(s) { this.place[this.plane.through] = Math.min(this.slices - 1, Math.max(0, s)); }
  get volumes() { return this.image.n[3]; }
  get volume() { return this.place[3]; }
  set volume(v) { this.place[3] = Math.min(this.volumes - 1, Math.max(0, v)); }

  static value(part, code) { return code ? part.low + ((code - 1) / 65534) * (part.high - part.low) : NaN; }

  valueAt(index) {
    const parts = this.image.parts;
    if (this.partIndex < 2) return View.value(this.part, this.part.codes[index]);
    const size = View.value(parts[0], parts[0].codes[index]), angle = View.value(parts[1], parts[1].codes[index]);
    return size * (this.part.name === "real" ? Math.cos(angle) : Math.sin(angle));
  }

  indexOf(x, y, z) {
    const n = this.image.n;
    return x + n[0] * (y + n[1] * (z + n[2] * this.volume));
  }

  /* Pixels of a slice, and of the canvas: one slice, or all of them side by side. */
  get size() { return [this.image.n[this.plane.right], this.image.n[this.plane.down]]; }
  get columns() {
    if (!this.montage) return 1;
    const [width, height] = this.size, [across, down] = this.spacing;
    return Math.max(1, Math.min(this.slices, Math.round(Math.sqrt((this.slices * height * down) / (width * across)))));
  }
  get rows() { return this.montage ? Math.ceil(this.slices / this.columns) : 1; }
  get spacing() { return [this.image.voxel[this.plane.right], this.image.voxel[this.plane.down]]; }

  /* The voxel under a pixel of the canvas: [x, y, z], or null. */
  voxelAt(column, row) {
    const [width, height] = this.size;
    const tile = Math.floor(column / width) + this.columns * Math.floor(row / height);
    const slice = this.montage ? tile : this.slice;
    if (column < 0 || row < 0 || column >= width * this.columns || row >= height * this.rows || slice >= this.slices) return null;
    const place = [0, 0, 0];
    place[this.plane.right] = column % width;
    place[this.plane.down] = this.plane.up ? height - 1 - (row % height) : row % height;
    place[this.plane.through] = slice;
    return place;
  }

  /* The colour of each code, as the bytes of a pixel: magnitude and phase need no arithmetic for each pixel then. */
  colourOf(value) {
    const table = tables[this.part.table];
    const share = (value - this.low) / (this.high - this.low);
    return Number.isNaN(value) ? [0, 0, 0] : table[Math.min(255, Math.max(0, Math.round(255 * share)))];
  }

  lookUp() {
    const colours = new Uint32Array(65536), bytes = new Uint8Array(4), word = new Uint32Array(bytes.buffer);
    bytes[3] = 255;
    for (let code = 0; code < 65536; code++) {
      bytes.set(this.colourOf(View.value(this.part, code)));
      colours[code] = word[0];
    }
    return (index) => colours[this.part.codes[index]];
  }

  compute() {
    const bytes = new Uint8Array(4), word = new Uint32Array(bytes.buffer);
    bytes[3] = 255;
    return (index) => {
      bytes.set(this.colourOf(this.valueAt(index)));
      return word[0];
    };
  }

  draw(canvas) {
    const [width, height] = this.size;
    canvas.width = width * this.columns;
    canvas.height = height * this.rows;
    const context = canvas.getContext("2d"), picture = context.createImageData(canvas.width, canvas.height);
    const pixels = new Uint32Array(picture.data.buffer), pixelOf = this.part.codes ? this.lookUp() : this.compute();
    for (let row = 0; row < canvas.height; row++)
      for (let column = 0; column < canvas.width; column++) {
        const voxel = this.voxelAt(column, row);
        if (voxel) pixels[column + canvas.width * row] = pixelOf(this.indexOf(...voxel));
      }
    context.putImageData(picture, 0, 0);
  }
}
