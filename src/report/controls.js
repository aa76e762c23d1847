/* A viewer: the canvas with what is around it, and what mouse and keys do to it. */

function make(name, attributes, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes || {}))
    if (key in element && key !== "list") element[key] = value;
    else element.setAttribute(key, value);
  element.append(...children);
  return element;
}

function numberText(number) {
  if (!Number.isFinite(number)) return "not a number";
  const size = Math.abs(number);
  return size !== 0 && (size < 1e-3 || size >= 1e5) ? number.toExponential(2) : String(Number(number.toPrecision(4)));
}

let made = 0;

class Viewer {
  constructor(image, changed) {
    this.view = new View(image);
    this.changed = changed;
    this.number = ++made;
    this.smooth = Math.max(image.n[0], image.n[1]) < 512;
    this.build();
    this.listen();
  }

  get unit() { return this.view.partIndex === 1 ? " rad" : this.view.image.unit ? " " + this.view.image.unit : ""; }

  /* ---------------------------------------------------------------- what it is made of */

  slider(label, onInput) {
    const id = `slider-${this.number}-${label}`, input = make("input", { type: "range", id, step: "any" }), output = make("output", {});
    output.htmlFor = id;
    input.addEventListener("input", () => onInput(Number(input.value)));
    const row = make("div", { className: "row" }, make("label", { htmlFor: id }, label), input, output);
    return { row, input, output };
  }

  choice(label, names, onChoice) {
    const set = make("fieldset", { className: "segments" }, make("legend", {}, label));
    names.forEach((name, i) => {
      const input = make("input", { type: "radio", name: `${label}-${this.number}`, checked: i === 0 });
      input.addEventListener("change", () => onChoice(i));
      set.append(make("label", {}, input, name));
    });
    set.hidden = names.length < 2;
    return set;
  }

  toggle(label, onChange) {
    const button = make("button", { type: "button" }, label);
    button.addEventListener("click", onChange);
    return button;
  }

  build() {
    const image = this.view.image, n = image.n;
    this.canvas = make("canvas", { role: "img" });
    this.ends = ["left", "right", "top", "bottom"].map((side) => make("span", { className: "end " + side }));
    this.stage = make("div", { className: "stage", tabIndex: 0, role: "group" }, this.canvas, ...this.ends);
    this.stage.setAttribute("aria-label", image.title + ": drag, or use the keys described below");
    this.part = this.choice("Part", this.view.parts.map((p) => p.name), (i) => { this.view.choosePart(i); this.update(); });
    this.planeChoice = this.choice("Plane", n[2] > 1 ? planes.map((p) => p.name) : [planes[0].name], (i) => { this.view.plane = planes[i]; this.update(true); });
    this.sliceRow = this.slider("Slice", (v) => this.page(Math.round(v) - 1 - this.view.slice));
    this.volumeRow = this.slider("Volume", (v) => this.changeVolume(Math.round(v) - 1 - this.view.volume));
    this.levelRow = this.slider("Level", (v) => this.shift(v - (this.view.low + this.view.high) / 2));
    this.widthRow = this.slider("Window", (v) => this.widen(v / (this.view.high - this.view.low)));
    this.histogram = make("canvas", { className: "histogram" });
    this.histogram.setAttribute("aria-hidden", "true");
    this.scale = [make("span", {}), make("canvas", { width: 256, height: 1 }), make("span", {})];
    this.scale[1].setAttribute("aria-hidden", "true");
    this.colours = make("select", { title: "Colours" }, ...Object.keys(tables).map((name) => make("option", { value: name }, colourNames[name])));
    this.colours.setAttribute("aria-label", "Colours");
    this.all = this.toggle("All slices", () => { this.view.montage = !this.view.montage; this.update(); });
    this.smoothing = this.toggle("Smooth", () => { this.smooth = !this.smooth; this.update(); });
    const automatic = this.toggle("Auto window", () => this.automatic()), save = this.toggle("Save PNG", () => this.save());
    this.all.hidden = n[2] < 2;
    this.cursor = make("p", { className: "cursor" });
    this.where = make("p", { className: "where" }); /* for paper, where there are no sliders */
    const controls = make("div", { className: "controls" }, this.part, this.planeChoice, this.sliceRow.row, this.volumeRow.row,
      make("div", { className: "scale" }, ...this.scale), this.histogram, this.levelRow.row, this.widthRow.row,
      make("div", { className: "buttons" }, automatic, this.all, this.smoothing, this.colours, save), this.cursor, this.where);
    this.element = make("figure", { className: "viewer" }, make("figcaption", {}, make("strong", {}, image.title), make("span", {}, this.sizeWords())), this.stage, controls);
  }

  sizeWords() {
    const { n, from, step, voxel } = this.view.image, size = from.slice(0, from[2] > 1 ? 3 : 2).join(" × ");
    const volumes = from[3] > 1 ? `, ${from[3]} ${this.view.image.volumeName}s` : "";
    const first = this.view.image.parts[0], same = first.low === first.high ? ` \u00b7 ${numberText(first.low)} everywhere` : "";
    const lost = [];
    if (step[0] > 1 || step[1] > 1) lost.push(`averaged over ${step[0]} × ${step[1]} pixels`);
    if (step[2] > 1) lost.push(`one slice of ${step[2]}`);
    if (step[3] > 1) lost.push(`one ${this.view.image.volumeName} of ${step[3]}`);
    const millimetres = voxel.map((v, i) => numberText(v / (i < 3 ? step[i] : 1))).join(" × ");
    return size + volumes + (this.view.image.ends ? ` · ${millimetres} mm` : "") + same + (lost.length ? ` · shown here: ${lost.join(", ")}` : "");
  }

  /* ---------------------------------------------------------------- what changes it */

  page(by) { if (by) { this.view.slice += by; this.update(true); } }
  changeVolume(by) { if (by) { this.view.volume += by; this.update(true); } }
  shift(by) { this.view.setWindow(this.view.low + by, this.view.high + by); this.update(); }
  widen(by) {
    const middle = (this.view.low + this.view.high) / 2, half = ((this.view.high - this.view.low) / 2) * by;
    this.view.setWindow(middle - half, middle + half);
    this.update();
  }
  automatic() { this.view.automatic(); this.update(); }
  nextOf(set) {
    const inputs = [...set.querySelectorAll("input")], next = inputs[(inputs.findIndex((i) => i.checked) + 1) % inputs.length];
    next.checked = true;
    next.dispatchEvent(new Event("change"));
  }
  save() {
    this.canvas.toBlob((blob) => {
      const link = make("a", { href: URL.createObjectURL(blob), download: this.view.image.title.replace(/[^\w-]+/g, "_") + ".png" });
      link.click();
      URL.revokeObjectURL(link.href);
    });
  }

  listen() {
    const stage = this.stage;
    let last = null;
    this.colours.addEventListener("change", () => { this.view.part.table = this.colours.value; this.update(); });
    stage.addEventListener("pointerdown", (e) => { last = e; stage.setPointerCapture(e.pointerId); });
    stage.addEventListener("pointerup", () => { last = null; });
    stage.addEventListener("pointercancel", () => { last = null; });
    stage.addEventListener("pointermove", (e) => { if (last) { this.drag(e.clientX - last.clientX, e.clientY - last.clientY); last = e; } this.point(e); });
    stage.addEventListener("pointerleave", () => { this.cursor.textContent = ""; });
    stage.addEventListener("dblclick", () => this.automatic());
    stage.addEventListener("wheel", (e) => {
      if (document.activeElement !== stage || e.ctrlKey) return;
      e.preventDefault();
      this.page(Math.sign(e.deltaY));
    }, { passive: false });
    stage.addEventListener("keydown", (e) => { if (!e.ctrlKey && !e.altKey && !e.metaKey && this.key(e.key)) e.preventDefault(); });
  }

  /* A drag over the whole height moves the level by the automatic window. */
  drag(right, down) {
    const [low, high] = this.view.part.window, wide = this.view.high - this.view.low;
    const middle = (this.view.low + this.view.high) / 2 + ((high - low) * down) / this.stage.clientHeight;
    const half = (wide / 2) * Math.exp((2 * right) / this.stage.clientWidth);
    this.view.setWindow(middle - half, middle + half);
    this.update();
  }

  key(key) {
    const step = 0.05 * (this.view.high - this.view.low);
    const actions = {
      ArrowUp: () => this.page(1), ArrowDown: () => this.page(-1), PageUp: () => this.page(5), PageDown: () => this.page(-5),
      Home: () => this.page(-this.view.slice), End: () => this.page(this.view.slices - 1 - this.view.slice),
      ArrowRight: () => this.changeVolume(1), ArrowLeft: () => this.changeVolume(-1),
      "+": () => this.widen(1 / 1.1), "=": () => this.widen(1 / 1.1), "-": () => this.widen(1.1), "[": () => this.shift(-step), "]": () => this.shift(step),
      a: () => this.automatic(), p: () => this.nextOf(this.part), o: () => this.nextOf(this.planeChoice), m: () => this.all.click(),
    };
    const action = actions[key] || actions[key.toLowerCase()];
    if (action) action();
    return Boolean(action);
  }

  point(event) {
    const box = this.canvas.getBoundingClientRect(), image = this.view.image;
    const column = Math.floor(((event.clientX - box.left) / box.width) * this.canvas.width);
    const row = Math.floor(((event.clientY - box.top) / box.height) * this.canvas.height);
    const voxel = this.view.voxelAt(column, row);
    const places = voxel && voxel.map((v, i) => v * image.step[i]).slice(0, image.n[2] > 1 ? 3 : 2).join(", ");
    this.cursor.textContent = voxel ? `(${places}): ${numberText(this.view.valueAt(this.view.indexOf(...voxel)))}${this.unit}` : "";
  }

  /* ---------------------------------------------------------------- what it shows */

  /* Something changed here, and other viewers may follow; moved: also the place. */
  update(moved) {
    this.changed(this, Boolean(moved));
    this.redraw();
  }

  redraw() {
    if (this.waiting) return;
    this.waiting = true;
    requestAnimationFrame(() => { this.waiting = false; this.draw(); });
  }

  draw() {
    const view = this.view;
    view.draw(this.canvas);
    this.canvas.className = this.smooth ? "" : "pixels";
    this.fit();
    this.showEnds();
    this.showRows();
    this.showScale();
    drawHistogram(this.histogram, view);
    const where = view.montage ? "all slices" : `slice ${(view.image.step[view.plane.through] || 1) * view.slice + 1} of ${view.image.from[view.plane.through]}`;
const volume = view.volumes > 1 ? `, ${view.image.volumeName} ${view.image.volumes[view.volume]}` : "";
    this.where.textContent = `${view.part.name}, ${where}${volume}`;
    this.canvas.setAttribute("aria-label", `${view.image.title}, ${this.where.textContent}, window from ${numberText(view.low)} to ${numberText(view.high)}${this.unit}`);
  }

  fit() {
    const [across, down] = this.view.spacing, width = this.canvas.width * across, height = this.canvas.height * down;
    const zoom = Math.min(this.stage.clientWidth / width, this.stage.clientHeight / height);
    this.canvas.style.width = `${zoom * width}px`;
    this.canvas.style.height = `${zoom * height}px`;
  }

  showEnds() {
    const ends = this.view.image.ends, plane = this.view.plane, low = 2 * plane.down + (plane.up ? 1 : 0);
    const letters = ends ? [ends[2 * plane.right], ends[2 * plane.right + 1], ends[low], ends[low ^ 1]] : ["", "", "", ""];
    this.ends.forEach((span, i) => { span.textContent = this.view.montage ? "" : letters[i]; });
  }

  set(row, low, high, value, shown) {
    Object.assign(row.input, { min: low, max: high, value });
    row.output.textContent = row.output.title = shown;
  }

  showRows() {
    const view = this.view, image = view.image, [low, high] = limits(view);
    const slice = (image.step[view.plane.through] || 1) * view.slice + 1;
    this.set(this.sliceRow, 1, view.slices, view.slice + 1, `${slice} of ${image.from[view.plane.through]}`);
    this.sliceRow.input.step = this.volumeRow.input.step = 1;
    this.sliceRow.row.hidden = view.slices < 2 || view.montage;
    this.set(this.volumeRow, 1, view.volumes, view.volume + 1, image.volumes[view.volume]);
    this.volumeRow.row.querySelector("label").textContent = image.volumeName[0].toUpperCase() + image.volumeName.slice(1);
    this.volumeRow.row.hidden = view.volumes < 2;
    this.set(this.levelRow, low, high, (view.low + view.high) / 2, numberText((view.low + view.high) / 2));
    this.set(this.widthRow, (high - low) / 200, high - low, view.high - view.low, numberText(view.high - view.low));
    this.all.setAttribute("aria-pressed", view.montage);
    this.smoothing.setAttribute("aria-pressed", this.smooth);
    this.colours.value = view.part.table;
  }

  showScale() {
    const context = this.scale[1].getContext("2d"), picture = context.createImageData(256, 1);
    tables[this.view.part.table].forEach((colour, i) => picture.data.set([...colour, 255], 4 * i));
    context.putImageData(picture, 0, 0);
    this.scale[0].textContent = numberText(this.view.low);
    this.scale[2].textContent = numberText(this.view.high) + this.unit;
  }
}
