//! ONNX Runtime, loaded when the first network is asked for.

#[cfg(not(feature = "onnx"))]
pub(super) use absent::open;
#[cfg(feature = "onnx")]
pub(super) use present::open;

#[cfg(not(feature = "onnx"))]
mod absent {
    use std::sync::Arc;

    use raichi_learn::network::Forward;

    use crate::trained::onnx::Lengths;

    pub(in super::super) fn open(_model: &[u8], _lengths: Lengths) -> Result<Arc<dyn Forward>, String> {
        Err("it is a network in ONNX's form, and this command was built without the feature onnx, which runs them: \
             cargo build --release --features onnx --bin raichi"
            .into())
    }
}

#[cfg(feature = "onnx")]
mod present {
    use std::sync::{Arc, Mutex, OnceLock, PoisonError};

    use ort::environment::Environment;
    use ort::session::Session;
    use ort::value::TensorRef;
    use raichi_learn::network::{Forward, Workspace};

    use crate::trained::onnx::Lengths;

    /// Where the library lies, if it is not where the system looks for libraries.
    const LIBRARY: &str = "ORT_DYLIB_PATH";
    const INPUT: &str = "observation";
    const POLICY: &str = "policy";
    const VALUE: &str = "value";

    struct Network {
        session: Mutex<Session>,
        lengths: Lengths,
    }

    pub(in super::super) fn open(model: &[u8], lengths: Lengths) -> Result<Arc<dyn Forward>, String> {
        let network = Network { session: Mutex::new(session(model)?), lengths };
        // Two positions, so that it is seen whether several can be asked about at once.
        let mut work = Workspace::default();
        network.run(&vec![0.0; 2 * lengths.observation], &mut work)?;
        Ok(Arc::new(network))
    }

    fn session(model: &[u8]) -> Result<Session, String> {
        let environment = environment()?;
        let refused = |why: String| format!("ONNX Runtime refuses its network: {why}");
        let builder = Session::builder(environment).map_err(|why| refused(why.to_string()))?;
        // Several games at a time keep the machine busy enough.
        let mut builder = builder.with_intra_threads(1).map_err(|why| refused(why.to_string()))?;
        builder.commit_from_memory(model).map_err(|why| refused(why.to_string()))
    }

    fn environment() -> Result<&'static Environment, String> {
        static ENVIRONMENT: OnceLock<Result<Environment, String>> = OnceLock::new();
        let begin = || {
            let library = std::env::var(LIBRARY).ok().filter(|path| !path.is_empty());
            let library = library.unwrap_or_else(|| {
                format!("{}onnxruntime{}", std::env::consts::DLL_PREFIX, std::env::consts::DLL_SUFFIX)
            });
            let absent =
                |why| format!("the library of ONNX Runtime was not found ({why}); {LIBRARY} says where it lies");
            let environment = ort::init_from(library).map_err(|why| absent(why.to_string()))?;
            environment.with_telemetry(false).build().map_err(|why| why.to_string())
        };
        ENVIRONMENT.get_or_init(begin).as_ref().map_err(Clone::clone)
    }

    impl Network {
        fn run(&self, input: &[f32], work: &mut Workspace<f32>) -> Result<(), String> {
            let Lengths { observation, policy, value } = self.lengths;
            let n = input.len() / observation;
            let failed = |why: ort::Error| format!("ONNX Runtime cannot run its network: {why}");
            let input = TensorRef::from_array_view(([n, observation], input)).map_err(failed)?;
            let mut session = self.session.lock().unwrap_or_else(PoisonError::into_inner);
            let outputs = session.run(ort::inputs![INPUT => input]).map_err(failed)?;
            for (name, each, numbers) in [(POLICY, policy, &mut work.logits), (VALUE, value, &mut work.values)] {
                let output = outputs.get(name).ok_or_else(|| format!("its network has no output {name}"))?;
                let (shape, said) = output.try_extract_tensor::<f32>().map_err(failed)?;
                if said.len() != n * each {
                    return Err(format!(
                        "its network's output {name} has {} numbers (shape {shape}) for {n} positions, and {each} are \
                         wanted for each",
                        said.len()
                    ));
                }
                numbers.clear();
                numbers.extend_from_slice(said);
            }
            Ok(())
        }
    }

    impl Forward for Network {
        /// # Panics
        /// When ONNX Runtime fails, which it did not when the network was opened.
        fn forward(&self, input: &[f32], work: &mut Workspace<f32>) {
            self.run(input, work).expect("it ran when it was opened");
            // Who reads them takes them to be numbers, and values to be within their bounds.
            work.logits.iter_mut().filter(|logit| !logit.is_finite()).for_each(|logit| *logit = f32::MIN / 4.0);
            for value in &mut work.values {
                *value = if value.is_nan() { 0.0 } else { value.clamp(-1.0, 1.0) };
            }
        }
    }
}
