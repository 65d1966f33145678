import {ParamRing, ReadBack, Scratch, Uploader, type Gpu} from '@epsball/gpu';
import {BoundsReduction} from '@epsball/spatial-grid/gpu';

export class Device {
  readonly gpu: Gpu;
  readonly scratch: Scratch;
  readonly params: ParamRing;
  readonly reader: ReadBack;
  readonly uploader: Uploader;
  readonly boxes: BoundsReduction;

  constructor(gpu: Gpu) {
    this.gpu = gpu;
    this.scratch = new Scratch(gpu, 'mean-shift');
    this.params = new ParamRing(gpu, 'mean-shift/params', 64);
    this.reader = new ReadBack(gpu, 'mean-shift');
    this.uploader = new Uploader(gpu, 'mean-shift');
    this.boxes = new BoundsReduction(gpu);
  }

  destroy(): void {
    for (const owned of [this.scratch, this.params, this.reader, this.uploader, this.boxes]) owned.destroy();
  }
}
